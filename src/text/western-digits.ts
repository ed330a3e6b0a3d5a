/** Figures as they are typed on a Latin keyboard: digits of other scripts, and wide ones, as 0 to 9, with `.`, `,` and `-`. */
export const westernDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replaceAll(/[‐–−]/g, '-')
