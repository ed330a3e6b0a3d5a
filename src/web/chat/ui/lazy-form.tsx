import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FormSpec } from '../model/frames'

export interface FormProps {
  form: FormSpec
  /** The form still waits for its answer. */
  active: boolean
  onSend: (words: string) => void
}

/** A form of the agent's; its code is fetched when the first form appears. */
export function LazyForm(props: FormProps) {
  const [Form, setForm] = useState<ComponentType<FormProps> | null>(null)
  useEffect(() => {
    void import('./form-card').then((module) => setForm(() => module.FormCard))
  }, [])
  return Form === null ? null : <Form {...props} />
}
