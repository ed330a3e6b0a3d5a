import { failureWord } from './webhook-events'
import { useSettingsWords } from './words'

export function Failure({ error }: { error: string }) {
  const t = useSettingsWords()
  const word = failureWord(error)
  return <bdi>{word ? t(word) : error}</bdi>
}
