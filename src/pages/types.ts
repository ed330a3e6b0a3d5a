import type { ONBOARDING } from '../config/limits'
import type { InstallPrompt, Language, ProviderName } from '../config/names'

/** Hashed addresses of the built chat app; written by scripts/build-web.mjs into assets.gen.ts. */
export interface PageAssets {
  script: string
  /** Chunks that the script imports statically: preloaded, so that they do not wait for it. */
  modules: readonly string[]
  style: string
  /** The code of the service worker, and every chunk of the app that is loaded later. */
  worker: string
  chunks: readonly string[]
  /** What the page needs besides where another site shows it in a frame. */
  frame: readonly string[]
  icon: string
  locales: Record<Language, string>
}

/** The library behind /docs. */
export interface DocsAssets {
  script: string
  style: string
}

/** One menu chip: what it shows and what it sends. */
export interface MenuChip {
  label: string
  prompt: string
}

/** What visitors read of an agent. */
export interface AgentWords {
  name: string
  greeting: string | null
  /** The greeting as it is sent back with the first message, which it then stands above in the session. */
  greetingId?: string | undefined
  menu: readonly MenuChip[]
}

/** What the page needs to know, besides the API that it calls. Everything here is public to any visitor. */
export interface PageFeatures {
  /** POST /v1/messages/{id}/feedback answers. */
  feedback: boolean
  /** GET /me/sessions/{id}/messages answers. */
  history: boolean
  /** The tenant's people sign in at /login. */
  signIn: boolean
  /** Sources of answers are shown, and can be opened. */
  sources: boolean
  /** Somebody of the tenant's answers those who ask for a person. */
  handOff: boolean
  /** POST /v1/speech reads answers aloud. */
  speech: boolean
  /** A question may be a recording. */
  hears: boolean
  /** GET /v1/agents/{name}/opening has more to say than the words below: a greeting of the day, storylines. */
  opening: boolean
}

/** The JSON that the server-rendered page hands to the chat app. */
export interface ChatBootstrap {
  tenant: { id: string; name: string; logoUrl: string | null }
  agent: {
    /** By which the browser keeps what was said: a rename leaves it. */
    id: string
    /** By which the API knows it; people see the words. */
    name: string
    words: AgentWords
    /** In place of the words, for who reads that language. */
    translations: Partial<Record<Language, AgentWords>>
  }
  lang: Language
  /** The address named the language, so it wins over the visitor's stored choice. */
  langExplicit: boolean
  locales: Record<Language, string>
  features: PageFeatures
  app: AppFacts
  /** Another site shows the page in a frame. */
  framed: boolean
}

/** The page as an installable app. */
export interface AppFacts {
  install: InstallPrompt
  /** Path of the page: the scope of its service worker. */
  home: string
  worker: string
  version: string
}

/** What the service worker of a page is told. */
export interface WorkerFacts {
  home: string
  version: string
  /** Files that the page cannot start without. */
  shell: readonly string[]
}

/** A tenant's own text: that of a language, else the one for the rest. */
export interface LoginText {
  own: Readonly<Partial<Record<Language, string | undefined>>>
  rest: string | null
}

export interface LoginOnboarding {
  welcome: LoginText
  consent: LoginText
  fields: readonly (typeof ONBOARDING.fields)[number][]
}

/** The JSON that the server-rendered page hands to the login app. */
export interface LoginBootstrap {
  tenant: { id: string; name: string; logoUrl: string | null; website: string | null }
  /** What new people are told and asked; null where nothing is. */
  onboarding: LoginOnboarding | null
  /** False: the tenant signs its people in on its own site. */
  native: boolean
  /** False: the tenant has no mail server, so no link can be sent. */
  mail: boolean
  oauth: readonly ProviderName[]
  lang: Language
  langExplicit: boolean
  locales: Record<Language, string>
}

/** The JSON that the server-rendered page hands to the console: nothing of a tenant is in it. */
export interface ConsoleBootstrap {
  lang: Language
  locales: Record<Language, string>
}

/** A complete answer, to be sent as it is. */
export interface RenderedPage {
  status: number
  html: string
  headers: Record<string, string>
}
