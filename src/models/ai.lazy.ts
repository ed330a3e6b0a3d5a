/** The loops of the AI SDK: what asks a model. */
export { generateText, isStepCount, streamText } from 'ai'
