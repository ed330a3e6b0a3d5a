/** The loops of the AI SDK: what asks a model. */
export { generateText } from 'ai'
