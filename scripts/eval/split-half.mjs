/** Which half of the questions one belongs to: rules are tuned on one and reported on the other. */
export function halfOf(question) {
  let value = 0x811c9dc5
  for (const unit of question) value = Math.imul(value ^ unit.codePointAt(0), 0x01000193) >>> 0
  return ((value ^ (value >>> 15)) >>> 0) % 2 === 0 ? 'tune' : 'report'
}

/**
 * What visitors of small organisations type, in their own words, over documents that nobody had tuned on: written by people who
 * knew nothing of the rules. Rules and weights were made while looking at the ones wholly, and never at the others.
 */
export const WHOLE_SETS = {
  'visitors-seen': 'tune',
  visitors: 'report',
  'organisations-seen-1': 'tune',
  'organisations-seen-2': 'tune',
  'visitors-seen-2': 'tune',
  'organisations-seen-3': 'tune',
  'organisations-1': 'report',
}
