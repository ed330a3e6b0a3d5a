import { FIELD_TYPES, type Form, type FormField } from '../../storylines/speak'
import { isObject } from '../../text/json'

const MOST_FIELDS = 8
const MOST_OPTIONS = 20
/** Of what a model asks for, so much is looked at. */
const MOST_READ = 50
const LABEL_CHARS = 80
const TITLE_CHARS = 120

/** What the tool takes. More than the bounds say is cut or refused: a model does not always keep to a schema. */
export const FORM_SCHEMA = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: TITLE_CHARS },
    fields: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_FIELDS,
      items: {
        type: 'object',
        properties: {
          label: { type: 'string', maxLength: LABEL_CHARS },
          type: { type: 'string', enum: [...FIELD_TYPES] },
          required: { type: 'boolean' },
          options: { type: 'array', items: { type: 'string' }, maxItems: MOST_OPTIONS },
        },
        required: ['label', 'type'],
        additionalProperties: false,
      },
    },
  },
  required: ['title', 'fields'],
  additionalProperties: false,
} as const

export const FORM_HELP =
  'Shows the user a form, for when you need several values at once; it ends your answer, and what they fill in is the next message. Say what it is for in one short sentence before. select and multiselect have options. Title and labels are in the language of the conversation. Never ask for a password, a code or a payment card.'

/** Credentials and payment cards, in the seven languages. */
const SECRETS = [
  /\bpass(?:word|code|phrase|wd)s?\b|\bpins?\b(?:[ -]?code)?|\b(?:cvv|cvc|csc|otp)2?\b/u,
  /\b(?:security|access|verification|one[ -]time|secret) (?:code|key|token)s?\b|\bapi[ -]?keys?\b/u,
  /\b(?:credit|debit|bank|payment) ?cards?\b|\bcards? ?(?:number|no\b|expir|holder|details)/u,
  /contrase(?:ñ|n)a|\bclave (?:de acceso|secreta)|codigo de (?:seguridad|verificacion)|\btarjetas? (?:de|bancaria)|numero de (?:la |tu |su )?tarjeta/u,
  /mots? de passe|\bcode (?:secret|de securite|de verification)|\bcartes? (?:bancaire|bleue|de (?:credit|debit|paiement))|numero de (?:la |votre )?carte|cryptogramme/u,
  /парол|пин[ -]?код|код (?:безопасности|подтверждения)|номер\S* карт|(?:банковск|кредитн|платежн)\S* карт/u,
  /密码|密碼|口令|验证码|驗證碼|安全码|安全碼|信用卡|银行卡|銀行卡|借记卡|簽帳卡|卡号|卡號/u,
  /كلم[ةه] (?:ال)?(?:مرور|سر)|(?:الرقم|الرمز|رقم|رمز) (?:ال)?(?:سري|سر|امان|تحقق)|بطاق[ةه] (?:ال)?(?:ائتمان|بنك|خصم|دفع|مصرف)|رقم (?:ال)?بطاق/u,
]
const ADDRESS = /:\/\/|\bwww\./iu

/** @returns the form that a model asks for, or what is wrong with it, in words for the model. Pure. */
export function readForm(asked: unknown): Form | string {
  if (!isObject(asked) || !Array.isArray(asked.fields)) return '"fields" must be a list of fields'
  const title = line(asked.title, TITLE_CHARS)
  const fields: FormField[] = []
  for (const one of asked.fields.slice(0, MOST_READ)) {
    if (fields.length === MOST_FIELDS) break
    const field = readField(one, fields.length + 1)
    if (field && !fields.some(({ label }) => keyOf(label) === keyOf(field.label)))
      fields.push(field)
  }
  if (fields.length === 0) return 'there is no field with a label'
  const words = [title, ...asked.fields.slice(0, MOST_READ).flatMap(wordsOf)]
  if (words.some(asksForSecret))
    return 'never ask for a password, a code or a payment card, not even in part'
  if (words.some((text) => ADDRESS.test(text))) return 'there may be no link in a form'
  return { title, fields }
}

function readField(asked: unknown, n: number): FormField | null {
  if (!isObject(asked)) return null
  // The answer comes back as `label: value`.
  const label = line(asked.label, LABEL_CHARS)
    .replaceAll(/\s*[:：]\s*/gu, ' ')
    .trim()
  if (label === '') return null
  const names = Array.isArray(asked.options) ? asked.options : []
  const labels = names.map((one) => line(one, LABEL_CHARS)).filter((one) => one !== '')
  const options = [...new Set(labels)].slice(0, MOST_OPTIONS)
  const wanted = FIELD_TYPES.find((type) => type === asked.type) ?? 'text'
  const chooses = wanted === 'select' || wanted === 'multiselect'
  const base = { name: `field_${n}`, label, required: asked.required !== false }
  if (!chooses) return { ...base, type: wanted }
  if (options.length === 0) return { ...base, type: 'text' }
  // What is chosen of several comes back in one line.
  const shown = options.map((one) => one.replaceAll(/\s*[,;،、，；]\s*/gu, ' '))
  return { ...base, type: wanted, options: shown.map((one) => ({ label: one, value: one })) }
}

/** What a field shows, as the model wrote it. */
function wordsOf(asked: unknown): string[] {
  if (!isObject(asked)) return []
  const options = Array.isArray(asked.options) ? asked.options.slice(0, MOST_READ) : []
  return [asked.label, ...options].map((one) => line(one, LABEL_CHARS))
}

/** Plain text in one line. */
const line = (text: unknown, most: number): string =>
  typeof text === 'string'
    ? text
        .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
        .trim()
        .slice(0, most)
        .trim()
    : ''

/** As labels compare: case, width and accents tell no two apart. */
export const keyOf = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

const asksForSecret = (text: string): boolean => {
  const said = keyOf(text)
  return SECRETS.some((pattern) => pattern.test(said) || pattern.test(text.toLowerCase()))
}
