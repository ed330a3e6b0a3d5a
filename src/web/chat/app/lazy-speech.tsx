import { useModule } from './use-module'

/** Reading a reply aloud: its code is fetched where the deployment can speak. */
export function LazySpeech({ messageId }: { messageId: string }) {
  const module = useModule(() => import('../speech/speech'))
  return module && <module.ReadAloud messageId={messageId} />
}
