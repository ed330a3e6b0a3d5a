import type { Group } from '../said'

/** What the templates of agents are called, and what each is for. */
export const templates: Group = {
  english: {
    support: 'Customer support',
    supportText: 'Answers customers from your help articles and says so when it does not know.',
    sales: 'Sales assistant',
    salesText:
      'Helps visitors find what fits them, and asks for their contact when they want more.',
    appointments: 'Appointments',
    appointmentsText:
      'Answers questions before a visit and collects what is needed for an appointment.',
    team: 'Team knowledge',
    teamText: 'A colleague who has read your handbook: rules, benefits, how things are done.',
    documentation: 'Product documentation',
    documentationText:
      'Leads developers and users through manuals and changelogs, with code as code.',
    companion: 'Companion',
    companionText: 'A general assistant with a memory: reminders, notes, free conversation.',
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
