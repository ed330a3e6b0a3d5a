import { loadOnce } from '../language/load-once'
import { loadChineseSoundsReader } from '../lazy'

const late = loadOnce(loadChineseSoundsReader)

/** `loadThesaurus` does. */
export const loadChineseSounds = late.load

/** What mends signs by their sound; null as long as it is not loaded. */
export const chineseSounds = late.get
