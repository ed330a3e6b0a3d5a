import { type ComponentType, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import type { AgentWords, ChatBootstrap } from '../../../pages/types'
import type { Chat } from '../chat'
import type { Locale } from '../i18n'
import type { ChatState } from '../model/chat'

export interface AppContext {
  boot: ChatBootstrap
  /** The agent in the words of the visitor's language. */
  agent: AgentWords
  chat: Chat
  locale: Locale
  /** Opens the panel beside the conversation at a source; false where the window has no room for one. */
  showBeside: (target: PanelTarget) => boolean
  /** What the page needs where another site shows it in a frame; null on a page of its own. */
  Frame: ComponentType<FrameProps> | null
}

export interface FrameProps {
  onLanguage: (lang: Language) => void
}

/** A source of a reply, by the number that the reader sees. */
export interface PanelTarget {
  replyKey: string
  label: number
}

export const App = createContext<AppContext | null>(null)

export function useApp(): AppContext {
  const app = useContext(App)
  if (app === null) throw new Error('no app')
  return app
}

export function useLocale(): Locale {
  return useApp().locale
}

/** The chat's state; the component renders again when it changes. */
export function useChatState(): ChatState {
  const { chat } = useApp()
  const [state, setState] = useState(chat.state)
  useEffect(() => {
    setState(chat.state)
    return chat.subscribe(() => setState(chat.state))
  }, [chat])
  return state
}
