/**
 * What most requests do without: `scripts/build-lazy.mjs` makes one file of each `NAME.lazy.ts`, which the runtime
 * compiles when it is first asked for. The path is read from an object because the bundler would take in what a literal
 * names. Nothing of such a file is the rest's: it has its own copy of every class, but for zod's (`src/wire/late-zod.ts`).
 */
const AT = {
  ai: './lazy/ai.mjs',
  asking: './lazy/asking.mjs',
  channel: './lazy/channel.mjs',
  cta: './lazy/cta.mjs',
  description: './lazy/description.mjs',
  dnsWire: './lazy/dns-wire.mjs',
  export: './lazy/export.mjs',
  layout: './lazy/layout.mjs',
  learn: './lazy/learn.mjs',
  managementTools: './lazy/management-tools.mjs',
  mcp: './lazy/mcp.mjs',
  nearMiss: './lazy/near-miss.mjs',
  opposites: './lazy/opposites.mjs',
  pages: './lazy/pages.mjs',
  pdf: './lazy/pdf.mjs',
  pictures: './lazy/pictures.mjs',
  plan: './lazy/plan.mjs',
  prior: './lazy/prior.mjs',
  qr: './lazy/qr.mjs',
  readers: './lazy/readers.mjs',
  research: './lazy/research.mjs',
  rules: './lazy/rules.mjs',
  slips: './lazy/slips.mjs',
  smtp: './lazy/smtp.mjs',
  speech: './lazy/speech.mjs',
  suffixes: './lazy/suffixes.mjs',
  templates: './lazy/templates.mjs',
  thesaurus: './lazy/thesaurus.mjs',
  toolResults: './lazy/tool-results.mjs',
  variants: './lazy/variants.mjs',
  wishes: './lazy/wishes.mjs',
  zod: './lazy/zod.mjs',
} as const

export const loadAi = (): Promise<typeof import('./models/ai.lazy')> => import(AT.ai)
export const loadAsking = (): Promise<typeof import('./chat/asking/asking.lazy')> =>
  import(AT.asking)
export const loadChannel = (): Promise<typeof import('./channels/channel.lazy')> =>
  import(AT.channel)
export const loadCta = (): Promise<typeof import('./chat/cta.lazy')> => import(AT.cta)
export const loadDescription = (): Promise<typeof import('./api-description/description.lazy')> =>
  import(AT.description)
export const loadDnsWire = (): Promise<typeof import('./platform/dns-wire.lazy')> =>
  import(AT.dnsWire)
export const loadExport = (): Promise<typeof import('./exports/export.lazy')> => import(AT.export)
export const loadLayout = (): Promise<typeof import('./knowledge-graph/layout.lazy')> =>
  import(AT.layout)
export const loadLearn = (): Promise<typeof import('./memory/learn.lazy')> => import(AT.learn)
export const loadManagementTools = (): Promise<
  typeof import('./mcp-server/management-tools.lazy')
> => import(AT.managementTools)
export const loadMcp = (): Promise<typeof import('./mcp/mcp.lazy')> => import(AT.mcp)
export const loadNearMiss = (): Promise<typeof import('./text/near-miss.lazy')> =>
  import(AT.nearMiss)
export const loadOppositeLists = (): Promise<typeof import('./language/opposites.lazy')> =>
  import(AT.opposites)
export const loadPages = (): Promise<typeof import('./pages/pages.lazy')> => import(AT.pages)
export const loadPdf = (): Promise<typeof import('./knowledge/read/pdf.lazy')> => import(AT.pdf)
export const loadPictures = (): Promise<typeof import('./apps/pictures.lazy')> =>
  import(AT.pictures)
export const loadPlan = (): Promise<typeof import('./chat/plan.lazy')> => import(AT.plan)
export const loadPriorLists = (): Promise<typeof import('./language/prior.lazy')> =>
  import(AT.prior)
export const loadQr = (): Promise<typeof import('./channels/qr.lazy')> => import(AT.qr)
export const loadReaders = (): Promise<typeof import('./knowledge/read/readers.lazy')> =>
  import(AT.readers)
export const loadResearch = (): Promise<typeof import('./chat/research.lazy')> =>
  import(AT.research)
export const loadRules = (): Promise<typeof import('./storylines/rules.lazy')> => import(AT.rules)
export const loadSlipsReader = (): Promise<typeof import('./text/slips.lazy')> => import(AT.slips)
export const loadSmtp = (): Promise<typeof import('./platform/mail/smtp.lazy')> => import(AT.smtp)
export const loadSpeech = (): Promise<typeof import('./models/speech.lazy')> => import(AT.speech)
export const loadSuffixes = (): Promise<typeof import('./domains/suffixes.lazy')> =>
  import(AT.suffixes)
export const loadTemplates = (): Promise<typeof import('./agents/templates.lazy')> =>
  import(AT.templates)
export const loadThesaurusLists = (): Promise<typeof import('./language/thesaurus.lazy')> =>
  import(AT.thesaurus)
export const loadToolResultWords = (): Promise<typeof import('./language/tool-results.lazy')> =>
  import(AT.toolResults)
export const loadVariants = (): Promise<typeof import('./sessions/variants.lazy')> =>
  import(AT.variants)
export const loadWishesList = (): Promise<typeof import('./text/wishes.lazy')> => import(AT.wishes)
export const loadZod = (): Promise<typeof import('./wire/zod.lazy')> => import(AT.zod)
