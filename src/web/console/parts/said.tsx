import { useEffect, useState } from 'preact/hooks'
import { say } from '../said/say'
import { useFormat } from '../words'

/** What the API says in English, in the reader's language where it is known. */
export function Said({ text, small }: { text: string; small?: boolean }) {
  const { lang } = useFormat()
  const [words, setWords] = useState<string | null>(null)
  useEffect(() => {
    let isShown = true
    setWords(null)
    void say(lang, text).then((said) => {
      if (isShown) setWords(said)
    })
    return () => {
      isShown = false
    }
  }, [lang, text])
  return (
    <bdi class={small ? 'small' : undefined} lang={words === null ? 'en' : undefined}>
      {words ?? text}
    </bdi>
  )
}
