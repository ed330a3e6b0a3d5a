import { useEffect, useState } from 'preact/hooks'

type Module = typeof import('../speech/speech')

/** Reading a reply aloud: its code is fetched where the deployment can speak. */
export function LazySpeech({ messageId }: { messageId: string }) {
  const [module, setModule] = useState<Module | null>(null)
  useEffect(() => void import('../speech/speech').then(setModule, () => undefined), [])
  return module && <module.ReadAloud messageId={messageId} />
}
