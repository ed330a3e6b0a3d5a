const EMAIL = /^[^\s@<>(),;:"[\]\\]{1,64}@[^\s@<>(),;:"[\]\\]{1,190}\.[^\s@.<>(),;:"[\]\\]{2,63}$/
const TEL = /^\+?[\d\s().-]{5,24}$/

/** Whether a text has one of the formats that slots and forms know. Pure. */
export function hasFormat(value: string, format: string): boolean {
  switch (format) {
    case 'email':
      return EMAIL.test(value)
    case 'tel':
      return TEL.test(value) && value.replace(/\D/g, '').length >= 5
    case 'date':
      return isDate(value)
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value)
    case 'date-time': {
      const [date = '', time = ''] = value.split(/[Tt ]/)
      return isDate(date) && time !== '' && !Number.isNaN(Date.parse(value))
    }
    case 'uri':
      return URL.canParse(value)
    case 'country':
      return /^[A-Z]{2}$/.test(value)
    default:
      return /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(value)
  }
}

/** A day that the calendar has: 30 February is none. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}
