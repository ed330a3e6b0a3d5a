import { failureWord } from './webhook-events'
import { useWebhookWords } from './words'

export function Failure({ error }: { error: string }) {
  const t = useWebhookWords()
  const word = failureWord(error)
  return <bdi>{word ? t(word) : error}</bdi>
}
