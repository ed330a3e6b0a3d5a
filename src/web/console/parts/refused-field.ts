import { useLayoutEffect } from 'preact/hooks'
import type { ApiProblem } from '../api/call'

/** A long form is sent at its end: the first field that was refused gets the focus, and so comes into sight. */
export function useRefusedField(problem: ApiProblem | null): void {
  useLayoutEffect(() => {
    if (!problem?.fields.length) return
    document.querySelector<HTMLElement>('#main [aria-invalid="true"]')?.focus()
  }, [problem])
}
