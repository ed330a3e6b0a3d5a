export { extractAnswer } from '../../src/models/offline/extract-answer'
export * from './zz-debug'
