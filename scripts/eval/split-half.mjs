/** Which half of the questions one belongs to: rules are tuned on one and reported on the other. */
export function halfOf(question) {
  let value = 0x811c9dc5
  for (const unit of question) value = Math.imul(value ^ unit.codePointAt(0), 0x01000193) >>> 0
  return ((value ^ (value >>> 15)) >>> 0) % 2 === 0 ? 'tune' : 'report'
}
