import type { FormSpec } from '../../kit/turn/frames'
import { useModule } from '../app/use-module'

export interface FormProps {
  form: FormSpec
  /** The reply that brought it. */
  said: string
  /** The form still waits for its answer. */
  active: boolean
  onSend: (words: string) => void
}

/** A form of the agent's; its code is fetched when the first form appears. */
export function LazyForm(props: FormProps) {
  const module = useModule(() => import('./form-card'))
  return module && <module.FormCard {...props} />
}
