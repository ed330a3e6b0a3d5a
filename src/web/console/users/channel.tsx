import { channelWord } from './names'
import { usePeople } from './words'

/** Where a chat is held; a channel that came later is shown as it is called. */
export function Channel({ name }: { name: string }) {
  const t = usePeople()
  const word = channelWord(name)
  return <>{word ? t(word) : name}</>
}
