/** Digits of any script as 0 to 9. */
export const plainDigits = (text: string): string =>
  text.replaceAll(/[\p{Nd}--[0-9]]/gv, (digit) => String(digitValue(digit)))

/** Unicode keeps the ten digits of a script in a row that starts at a multiple of ten or sixteen: zero is found by its class. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}
