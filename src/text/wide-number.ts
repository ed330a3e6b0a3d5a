const CJK_DIGITS: Record<string, number> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  兩: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}

/** A number in Chinese signs below a thousand (三十五), or digit by digit (二〇二六). */
export function readWideNumber(signs: string): number {
  if (!/[十百]/u.test(signs))
    return Number([...signs].map((sign) => CJK_DIGITS[sign] ?? 0).join(''))
  let value = 0
  let digit = 0
  for (const sign of signs) {
    if (sign === '百' || sign === '十') {
      value += (digit || 1) * (sign === '百' ? 100 : 10)
      digit = 0
    } else digit = CJK_DIGITS[sign] ?? 0
  }
  return value + digit
}
