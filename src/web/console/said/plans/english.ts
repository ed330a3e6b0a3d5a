import type { Group } from '../said'

/** What a look at the plan of an agent tells, and what of the tools of a server is not used. */
export const plans: Group = {
  english: {
    guarded: 'The injection guard refuses this message.',
    clarify: 'The goal names one thing; the agent may ask which one is meant.',
    maySearch: 'The model may search this base.',
    lookedUp: 'Every message is looked up in this base.',
    smallTalk: 'Small talk needs no source.',
    research:
      'A question of several parts is answered part by part, and the report says what was not found.',
    supported: 'Every sentence must be supported by a retrieved passage.',
    gathered: 'The model answers from what was gathered.',
    skillWords: 'The goal shares words with the skill’s description.',
    storyNear: 'The goal is near to what starts it.',
    toolAsked: 'The goal asks for it.',
    skillMissing: 'Unknown skill "{name}" is skipped.',
    baseSkipped: 'Unknown knowledge base "{name}" is skipped.',
    toolSkipped: 'Unknown tool "{name}" is skipped.',
    toolOff: 'Tool "{name}" is skipped: the MCP server is disabled.',
    toolChanged: 'Tool "{name}" is skipped until its change is accepted.',
    toolGone: 'Tool "{name}" is skipped: the server no longer announces it.',
    noBase: 'Grounding is required but the agent has no knowledge base.',
    pinsChanged: 'Changed and not used until accepted: {list}.',
    pinsNew: 'New and not used until accepted: {list}.',
    pinsGone: 'No longer announced: {list}.',
  },
  words: {
    zh: () => import('./locales/zh.json'),
    'zh-TW': () => import('./locales/zh-TW.json'),
    es: () => import('./locales/es.json'),
    ru: () => import('./locales/ru.json'),
    fr: () => import('./locales/fr.json'),
    ar: () => import('./locales/ar.json'),
  },
}
