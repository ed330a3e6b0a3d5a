/** Digits of other scripts, and wide ones, as 0 to 9. */
export const westernDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
