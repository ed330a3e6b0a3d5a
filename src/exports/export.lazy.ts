export { fillPart, firstPart } from './fill-part'
export { joinParts } from './zip'
