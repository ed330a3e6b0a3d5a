import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export const ToastContext = createContext<(text: string) => void>(() => undefined)

/** Says in the page's status line that something was done. */
export const useToast = (): ((text: string) => void) => useContext(ToastContext)
