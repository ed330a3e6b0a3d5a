import { stripInvisible } from '../text/neutralise'
import { sentences } from '../text/sentences'

/** Words that name a secret, in the seven languages: a sentence with one is never remembered, value or not. */
const SECRET_WORDS = new RegExp(
  [
    String.raw`\b(?:pass ?(?:word|code|phrase|wd)s?|pwd|pins?(?: code| number)?|cvv2?|cvc2?|otp|2fa|mfa|(?:one[- ]time|verification|security|access|auth(?:entication)?|login|recovery|backup|unlock|door|safe|alarm|sms) (?:pass)?codes?|(?:secret|private|api|access|recovery|encryption|ssh|licen[cs]e) keys?|(?:access|auth|api|bearer|refresh|session) tokens?|(?:seed|recovery|secret|mnemonic) (?:phrase|words?)|credentials|secret (?:question|answer))\b`,
    String.raw`(?<!\p{L})(?:contraseñas?|contrasenas?|clave (?:secreta|privada|de acceso|api|del banco|del wifi)|(?:mi|la) clave|código (?:de (?:verificación|seguridad|acceso|confirmación)|pin|secreto)|frase (?:semilla|de recuperación|secreta)|credenciales)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:mots? de passe|code (?:secret|pin|confidentiel|de vérification|de sécurité|de confirmation|d['’]accès)|clés? (?:secrète|privée|api|d['’]accès|de récupération)|phrase (?:secrète|de récupération)|identifiants? de connexion|digicode)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:парол\p{L}*|пин(?:-?код\p{L}*)?|код\p{L}* (?:подтверждения|доступа|безопасности|из (?:смс|sms)|домофона|сейфа|верификации)|(?:секретн|приватн|закрыт)\p{L}* ключ\p{L}*|токен\p{L}*|сид-?фраз\p{L}*|api-?ключ\p{L}*)(?!\p{L})`,
    `密[码碼](?!学|學)|口令|验证码|驗證碼|安全[码碼]|私[钥鑰]|密[钥鑰]|金鑰|助[记記][词詞]|动态码|動態碼|提款密|(?:访问|存取)令牌`,
    `كلم[ةه] (?:ال)?(?:مرور|سر)|(?:ال)?رقم(?:ي)? (?:ال)?سري|رمز(?:ي)? (?:ال)?(?:تحقق|دخول|أمان|امان|سري|مرور)|(?:ال)?مفتاح (?:ال)?(?:خاص|سري)|عبار[ةه] (?:ال)?(?:استرداد|سري[ةه])`,
  ].join('|'),
  'iu',
)

/** Words that name a number of a card, an account or a person: secret together with digits. */
const NUMBER_WORDS =
  /\b(?:cards?|credit|debit|visa|mastercard|amex|iban|account|routing|sort code|ssn|social security|passport|licen[cs]e|national id|id (?:card|number)|tax|codes?|pins?)\b|tarjeta|cuenta|pasaporte|seguro social|(?<!\p{L})(?:dni|nie|nif|curp|clave|código)(?!\p{L})|carte|compte|passeport|sécurité sociale|(?<!\p{L})(?:карт|сч[её]т|паспорт|снилс|инн|код)\p{L}*|卡[号號]|信用卡|[银銀]行卡|借记卡|账[号户]|帳[號戶]|身[份分][证證]|[护護]照|社保|代[码碼]|بطاق|حساب|جواز|هوي[ةه]|ضمان|رمز/iu
const DIGITS = /(?:\p{Nd}[ .-]?){4,}/u

/** Forms of keys and tokens that are secret whatever stands around them. */
const KEY_FORMS =
  /-----BEGIN [A-Z ]*(?:KEY|CERTIFICATE)|\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abeprs]|hf|npm|whsec|shpat|dop_v1|ya29)[-_.][A-Za-z0-9_-]{8,}|\b(?:AKIA|ASIA|AIza)[A-Za-z0-9_-]{12,}|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}|\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/@:]*:[^\s/@]+@|\b\d{3}-\d{2}-\d{4}\b/u
const CARD = /(?<![\d])(?:\d[ -]?){12,18}\d(?![\d])/gu
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/gu
const TOKEN = /[A-Za-z0-9_+/=.~!@#$%^&*-]{8,}/gu
/** A web address up to its query, which may carry a token. */
const ADDRESS = /\bhttps?:\/\/[^\s?#]+/giu
const LONG_TOKEN = 20
const MIN_ENTROPY = 3.2

/**
 * Whether a text names or holds a secret: passwords, codes, PINs, card, account and identity numbers, keys and tokens.
 * Strict on purpose: what is wrongly taken for a secret is merely not remembered.
 */
export function holdsSecret(text: string): boolean {
  const plain = normalise(text)
  return (
    SECRET_WORDS.test(plain) ||
    (NUMBER_WORDS.test(plain) && DIGITS.test(plain)) ||
    KEY_FORMS.test(plain) ||
    (plain.match(CARD) ?? []).some(isCard) ||
    (plain.toUpperCase().match(IBAN) ?? []).some(isIban) ||
    (plain.replaceAll(ADDRESS, ' ').match(TOKEN) ?? []).some(looksRandom)
  )
}

/**
 * A text without the sentences that hold a secret. The sentence after one that names a secret goes too ("My password is
 * this:", then the word itself).
 */
export function withoutSecrets(text: string): string {
  const kept: string[] = []
  let named = false
  for (const line of text.split('\n')) {
    for (const sentence of sentences(line)) {
      const secret = holdsSecret(sentence.text)
      if (!secret && !named) kept.push(sentence.text)
      named = secret && SECRET_WORDS.test(normalise(sentence.text))
    }
  }
  return kept.join('\n')
}

/** One form of every character: full-width and Arabic digits as ASCII ones, nothing invisible. */
function normalise(text: string): string {
  return stripInvisible(text)
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/[\u064b-\u065f\u0640]/gu, '')
}

/** The check sum of card numbers (Luhn). */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The check sum of ISO 13616: letters count 10 to 35, the first four characters come last, the rest of 97 is 1. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  let rest = 0
  for (const char of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(char, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Letters, digits and perhaps signs mixed as no word mixes them, or long and as varied as random text. */
function looksRandom(token: string): boolean {
  if (/^[\p{L}]+(?:[-./][\p{L}]+)*$/u.test(token)) return false
  if (/^[\w.+-]+@[\w-]+\.[\w.-]+$/u.test(token)) return false
  const kinds = [/[a-z]/u, /[A-Z]/u, /\d/u, /[^A-Za-z\d.-]/u].filter((kind) =>
    kind.test(token),
  ).length
  if (kinds >= 4) return true
  const hasBoth = /\d/u.test(token) && /[A-Za-z]/u.test(token)
  return token.length >= LONG_TOKEN && hasBoth && entropy(token) >= MIN_ENTROPY
}

/** Bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
