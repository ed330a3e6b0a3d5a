import { useModule } from './use-module'

const useVoice = () => useModule(() => import('../voice/voice'))

/** Recording a question: its code is fetched where the deployment understands speech. */
export function Voice(props: { onSend: (audio: string) => void }) {
  const module = useVoice()
  return module && <module.Voice {...props} />
}

/** A recording whose words are not known yet. */
export function Spoken() {
  const module = useVoice()
  return module && <module.Spoken />
}
