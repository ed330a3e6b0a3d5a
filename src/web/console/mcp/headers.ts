/** A header as it is written: its value is never read back. */
export interface HeaderRow {
  /** Of the row, for as long as it is shown. */
  key: number
  name: string
  value: string
  /** The server has one of this name; an empty value leaves it. */
  isStored: boolean
  isRemoved: boolean
}

let rows = 0

export const newHeader = (name = '', isStored = false): HeaderRow => ({
  key: ++rows,
  name,
  value: '',
  isStored,
  isRemoved: false,
})

/** Rows for what a server has. */
export const headerRows = (names: readonly string[]): HeaderRow[] =>
  names.map((name) => newHeader(name, true))

/** What to send of them: new and changed values, and null for what goes. Empty when nothing changes. */
export function headerChanges(headers: readonly HeaderRow[]): Record<string, string | null> {
  return Object.fromEntries(
    headers.flatMap(({ name, value, isStored, isRemoved }): [string, string | null][] => {
      if (isRemoved) return isStored ? [[name, null]] : []
      return name.trim() === '' || value === '' ? [] : [[name.trim(), value]]
    }),
  )
}

/** Whether a row is begun and not finished: its other half is asked for. */
export const isHalf = ({ name, value, isStored, isRemoved }: HeaderRow): boolean =>
  !isStored && !isRemoved && (name.trim() === '') !== (value === '')
