/** Deep research: only agents with the switch need it. */
export { headingOf, mayBeLarge, missingPart, research } from './research'
