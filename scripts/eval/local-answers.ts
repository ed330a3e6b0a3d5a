export { readCandidates } from '../../src/models/offline/extract-answer'
export { render } from '../../src/models/offline/render-answer'
export { askLocally, openLocalBase } from './local-turn'
