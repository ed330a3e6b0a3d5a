/** Making speech: only what is read aloud needs it. */
export { speak } from './speak'
