import { plainDigits } from './plain-digits'

/** Figures as they are typed on a Latin keyboard: digits of other scripts, and wide ones, as 0 to 9, with `.`, `,` and `-`. */
export const westernDigits = (text: string): string =>
  plainDigits(text.normalize('NFKC'))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replaceAll(/[‐–−]/g, '-')
