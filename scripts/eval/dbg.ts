export * from '/work/h9/scripts/eval/local-turn'
export { readQuestion, settleTerms, clauseWeights, holds } from '/work/h9/src/knowledge/question'
export { readGate } from '/work/h9/src/knowledge/gate'
export { rankSentences } from '/work/h9/src/platform/models/offline/extract-answer'
