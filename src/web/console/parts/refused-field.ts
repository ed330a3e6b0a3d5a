import { useLayoutEffect, useState } from 'preact/hooks'
import type { ApiProblem } from '../api/call'

/** A long form is sent at its end: the first field that was refused gets the focus. Whether there is one to be seen. */
export function useRefusedField(problem: ApiProblem | null): boolean {
  const [isShown, setShown] = useState(false)
  useLayoutEffect(() => {
    const field = problem?.fields.length
      ? document.querySelector<HTMLElement>('#main [aria-invalid="true"]')
      : null
    field?.focus()
    setShown(field !== null)
  }, [problem])
  return isShown
}
