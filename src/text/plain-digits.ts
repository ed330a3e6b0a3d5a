/** Digits of any script as 0 to 9. */
export const plainDigits = (text: string): string =>
  text.replaceAll(/[\p{Nd}--[0-9]]/gv, (digit) => String(digitValue(digit)))

/** Zeros of the digits that are written beside 0 to 9 where a script is: Arabic and Persian, Devanagari. */
const ZEROS = [
  [/[\u0600-\u06ff]/u, 0x660, 0x6f0],
  [/[\u0900-\u097f]/u, 0x966],
] as const

/** A number as a text's readers may write it: in 0 to 9, and in the digits of the text's script. */
export function inAllDigits(number: string, text: string): string[] {
  const plain = plainDigits(number)
  if (!/[0-9]/.test(plain)) return []
  const zeros = ZEROS.flatMap(([script, ...own]) => (script.test(text) ? own : []))
  const others = zeros.map((zero) =>
    plain.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit))),
  )
  return [plain, ...others]
}

/** Unicode keeps the ten digits of a script in a row that starts at a multiple of ten or sixteen: zero is found by its class. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}
