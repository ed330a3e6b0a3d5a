export { readGate } from '../../src/knowledge/gate'
export { rankSentences } from '../../src/models/offline/extract-answer'
export { readQuestion, settleTerms } from '../../src/text/question'
export { askLocally, openLocalBase } from './local-turn'
