/** Defaults and limits of the whole product, so that changing one is a one-line change. */

export const KIB = 1024
export const MIB = 1024 * KIB
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** What a caller is told to wait where the platform itself could not be reached. */
export const OUTAGE_RETRY_S = 2

/** Page sizes: default and maximum. */
export const PAGES = {
  manage: { default: 50, max: 200 },
  deliveries: { default: 50, max: 200 },
  audit: { default: 50, max: 200 },
  reviews: { default: 50, max: 200 },
  reminders: { default: 20, max: 100 },
  sessions: { default: 30, max: 100 },
  messages: { default: 200, max: 500 },
  enrollments: { default: 50, max: 200 },
  handoffs: { default: 50, max: 200 },
} as const

/** The agent comes back where no person has answered for so long. */
export const HANDOFF = { patienceS: 86_400 } as const

/** What a form says around its files: a limit of files is of them alone. */
export const FORM_BYTES = 64 * KIB
/** Parts of a form: an empty one takes a few bytes to send and hundreds to hold. */
export const FORM_PARTS = 2000

/** Body sizes in bytes. */
export const BODY_LIMITS = {
  json: 1 * MIB,
  chat: 25 * MIB,
  files: 25 * MIB,
  multipart: 25 * MIB + FORM_BYTES,
  icon: 1 * MIB,
} as const

/** What a new user may be asked for, and how long the texts are (characters). */
export const ONBOARDING = {
  fields: ['pref_name', 'phone', 'city'],
  textLength: 8000,
} as const

export const LIMITS = {
  agentsPerTenant: 200,
  skillsPerTenant: 500,
  basesPerTenant: 100,
  chunksPerBase: 100_000,
  spacesPerUser: 50,
  spaceDocuments: 100,
  chunksPerSpace: 2000,
  revisionsKept: 100,
  nameLength: 64,
  /** Levels of objects and lists in what a tenant may shape as it likes. */
  jsonDepth: 64,
  /** Members of objects and lists behind the first of each, in one body: hundreds of messages with their sources. */
  jsonMembers: 40_000,
  /** Objects, and lists, of one body. */
  jsonGroups: 100_000,
  promptLength: 20_000,
  messageLength: 16_000,
  imagesPerTurn: 4,
  imageBytes: 5 * MIB,
  audioBytes: 10 * MIB,
  mediaBytesPerTurn: 15 * MIB,
  imageDimension: 4096,
  historyWindow: { default: 20, min: 0, max: 100 },
  stopSequences: 4,
  stopSequenceLength: 500,
  maxOutputTokens: { default: 2048, min: 16, max: 32_768 },
  toolCallMaxTokens: { default: 4096, min: 64, max: 32_768 },
  /** Of the longest greeting, sealed. */
  greetingIdLength: 32_000,
  /** A day's tokens of one user, where an agent or a tenant sets a ceiling. */
  dailyTokensPerUser: { min: 1000, max: 1_000_000_000 },
  /** How long a conversation waits for a person; without hours of the agent's own as long as the deployment says. */
  handoffHours: { min: 1, max: 720 },
  toolSteps: 8,
  /** Of one step: what a model asks for beyond is left out, and may be asked for in the next. */
  toolCalls: 16,
  searchK: { default: 6, min: 1, max: 20 },
  displayNameLength: 80,
  suggestions: 3,
  suggestionLength: 80,
  menuItems: 8,
  menuItemLength: 40,
  endUserIdLength: 256,
  idempotencyKeyLength: 255,
  idempotencyHours: 24,
  /** How long a request that died without an answer holds its Idempotency-Key; longer than any request takes. */
  idempotencyLeaseMs: 2 * MINUTE_MS,
  streamReplayMinutes: 10,
  auditYears: 2,
  usageDays: 400,
  cacheTtlMs: 5 * SECOND_MS,
  keyTtlMs: SECOND_MS,
} as const

/** Reminders and follow-ups of one user and space. */
export const REMINDERS = { pending: 50, leadS: 30, yearsAhead: 1, textLength: 500 } as const

/** Messaging channels: codes that link a chat, and how long a message is tried to be answered. */
export const CHAT_APP = {
  codeMs: 10 * MINUTE_MS,
  /** What a job or a delivery has in hand is taken up again after this long without a sign of life. */
  claimS: 120,
  /** A session's turn is under way: the next look. */
  busyS: 3,
  keptMs: DAY_MS,
  /** Of one message, before it is let go. */
  attempts: 20,
  /** Rows of answered messages: repeats of an update are told by them. */
  purgeMs: 3 * DAY_MS,
  typingMs: 4 * SECOND_MS,
  /** A wait that the channel asks for is slept through up to here; a longer one goes back to the queue. */
  waitS: 5,
  maxWaitS: 3600,
  updateBytes: 1 * MIB,
} as const

/** The channel of pushes to a user: ping period and streams of one user; how long events wait for a listener, and how many. */
export const STREAMS = {
  pingS: 25,
  perUser: 5,
  keptHours: 24,
  keptEvents: 2000,
  /** Pieces that wait for a slow reader before the stream is cut; the reader comes back and goes on. */
  backlog: 256,
} as const

/** The audit trail as CSV leaves in pieces: entries, and characters of their before and after (at least one entry). */
export const AUDIT_EXPORT = { rows: 1000, characters: 2_000_000 } as const

/** A skill is chosen by its description: a shorter one (characters) is reported. */
export const SKILL_DESCRIPTION = { shortLength: 20 } as const

/** An agent that a model writes: the wish and the names it is told, what it may cost, how much of its name is taken. */
export const AGENT_DRAFT = {
  descriptionLength: 4000,
  listed: 100,
  tokens: 3000,
  ms: 60_000,
  nameLength: 40,
} as const

/** Archive and parser budgets (security requirements, section 7). */
export const ARCHIVE_LIMITS = {
  entries: 1000,
  entryBytes: 20 * MIB,
  totalBytes: 100 * MIB,
  ratio: 100,
  /** Entries that unpack to less than this may have any ratio: a short repetitive file is no bomb. */
  ratioFloorBytes: 64 * KIB,
  depth: 10,
  nameBytes: 255,
  xmlDepth: 100,
  pdfPages: 2000,
} as const

/** What one document may hold, counted rather than timed: clocks stand still during CPU work in production. */
export const DOCUMENT_LIMITS = {
  /** Characters of extracted text: some 3,000 pages. */
  textLength: 8_000_000,
  /** Characters of the source of a text format; of HTML, whose markup may weigh much more than its text. */
  sourceLength: 10_000_000,
  markupLength: 25_000_000,
  lines: 1_000_000,
  blocks: 200_000,
  /** Lines, list items and table cells of a web page. */
  parts: 1_000_000,
  /** Inflated bytes of all content streams of a PDF, and of a single one. */
  pdfBytes: 200 * MIB,
  pdfStreamBytes: 32 * MIB,
  /** Runs of text in a PDF. */
  pdfItems: 3_000_000,
  /** Answers of the parser for one page and for all: each form that a page shows costs one, and forms multiply. */
  pdfPageReads: 5_000,
  pdfReads: 100_000,
  jsonDepth: 100,
  /** Other ways to ask under one heading, characters of each, and how many one passage keeps of its headings' together. */
  phrasings: 40,
  phrasingLength: 200,
  passagePhrasings: 200,
} as const

/**
 * Chunk sizes in weight: a character counts 1, a Chinese, Japanese or Korean one 2, because it carries about twice as much.
 * A passage up to `whole` stays one chunk; longer ones are cut into even pieces of about `target`, none above `whole`.
 */
export const CHUNKING = {
  whole: 2000,
  target: 1200,
  /** A section lighter than this joins its neighbour under the same heading. */
  small: 200,
} as const

/** Ingestion: a job without progress for this long is taken up again, at most `attempts` times. */
export const INGEST = {
  attempts: 3,
  stallMs: 10 * MINUTE_MS,
  /** Chunks of small documents, or of a user's own, that are written in one transaction. */
  chunkBatch: 64,
  /**
   * Chunks of a large one: the first search of the same base waits so long. Each transaction leaves a piece of both indexes,
   * which are merged as they get more: few large ones take two thirds of the work of many small ones.
   */
  chunkBatchAlone: 256,
  /** The same, and chunks that are prepared in a row, while searches come in. */
  chunkBatchBeside: 32,
  preparedBeside: 4,
  /** Chunks that are prepared before it is seen whether somebody asks by now. */
  preparedAlone: 64,
  /** Chunks that get their vectors before that is noted, in as many calls at once as `EMBEDDING` allows. */
  embedBatch: 384,
  /** Such rounds of one job: each asks the platform some thirty times, and the four jobs of a batch may ten thousand times. */
  embedSteps: 50,
  /** Texts of up to so many bytes are read together, so many and of so many bytes in one job. */
  smallBytes: 32 * 1024,
  together: 32,
  togetherBytes: 128 * 1024,
} as const

/** Work that nobody waits for beside calls that somebody does. */
export const BACKGROUND = {
  /** After such a call more are expected for so long. */
  awaitedForMs: 2 * SECOND_MS,
  /** Waits of about a millisecond between two pieces, at most. */
  mostWaits: 30,
} as const

/** Documents that are fetched from addresses: how often they are asked again, and how. */
export const REFRESH = {
  periodMs: { daily: DAY_MS, weekly: 7 * DAY_MS },
  /** A peer that failed is asked again so often before the period is over. */
  retriesInPeriod: 4,
  /** So long a started job has its document to itself. */
  claimMs: HOUR_MS,
  /** The duty's own period, see `scheduled`. */
  everyMs: 5 * MINUTE_MS,
  /** Documents that one call of the duty starts. */
  atOnce: 1000,
  /** Answers in a row that say a page is gone, until it is believed. */
  missesUntilGone: 2,
} as const

/** Imports of whole sites: one request at a time, at the site's own pace within these bounds. */
export const SITES = {
  /** Who asks for a page: the name that a site's robots.txt may speak of. */
  robot: 'Parley',
  mostPages: 500,
  defaultPages: 100,
  mostMaps: 50,
  /** Of a map that comes packed. */
  mapBytes: 4 * 1024 * 1024,
  linksPerPage: 500,
  leastDelayS: 1,
  mostDelayS: 30,
  urlLength: 2048,
  /** Characters of a robots.txt that are read. */
  robotsLength: 128 * 1024,
  /** An import without a step for so long has lost its job; longer than the longest pause with a request. */
  stallMs: 2 * MINUTE_MS,
  keptMs: 30 * DAY_MS,
} as const

/** Bounds of one knowledge base's object. */
export const KNOWLEDGE = {
  /** Characters of one chunk; keeps every row far below the platform's 2 MB. */
  chunkLength: 128 * 1024,
  /** Characters of a question that are looked at. */
  queryLength: 2000,
  /** Hits asked of the vector index, the most that one call gives. */
  vectorHits: 100,
  /** Vectors that the bases of one isolate keep in memory, in bytes; one with more reads them from storage for every search. */
  vectorMemory: 48 * MIB,
  /** What terms of questions give to passages, which the bases of one isolate keep in memory, in bytes. */
  termMemory: 8 * MIB,
  /** A base of so many chunks is copied to the vector index; below half of them it leaves it. */
  indexFromChunks: 20_000,
  /** Vectors of one call to the index: they cross as text, so these are some megabytes. */
  indexBatch: 200,
  /** Vectors that the index has not processed are compared one by one; with more of them, all are. */
  indexBacklog: 1000,
  /** Until the index is asked again what it has processed, and after it could not be reached. */
  indexPauseMs: 5 * SECOND_MS,
  /** After the last change of a base: its indexes are merged, and removed vectors leave the vector index. */
  upkeepDelayMs: 3 * SECOND_MS,
  /** Pages of an index that one step of a merge writes, and steps at most. A page holds some 4 KB. */
  mergePages: 500,
  mergeSteps: 1000,
  /** Up to so many pages an index is merged whenever it is in pieces; beyond, when this share of it is. */
  smallIndexPages: 1000,
  mergeShare: 0.1,
} as const

/** What a space remembers of its user. Lengths in characters. */
export const MEMORY = {
  /** Memories in force; beyond it the least valuable go. Superseded ones are kept for a while, to be taken back. */
  active: 2000,
  superseded: 500,
  /** Put into a prompt, at most. */
  recalled: 8,
  perMessage: 8,
  contentLength: 300,
  topicLength: 60,
  profileLength: 800,
  /** Points that a remembered profile lists. */
  points: 20,
  /** Of a message only so much is looked at. */
  messageLength: 4000,
  /** Memories shown to the model beside a message, to tell what is new and what is no longer true. */
  compared: 12,
} as const

/** Merging a space into another: rows and bytes of one step, how long changes under way are waited for, how often it is looked after. */
export const MERGE = {
  rows: 200,
  bytes: 1 * MIB,
  /** Heads (sessions, documents…) that one step of a roll-back clears. */
  heads: 100,
  drainMs: 45 * SECOND_MS,
  watchMs: 5 * SECOND_MS,
  /** How long the emptied object still tells late callers where its space went. */
  signpostMs: DAY_MS,
} as const

/** Exports of all that a user has. */
export const EXPORTS = {
  /** How many a user may begin within a day. */
  perDay: 5,
  keptMs: 7 * DAY_MS,
  /** A part is full with so much; the file that fills it may be as large as an upload. */
  partBytes: 4 * MIB,
  /** Pages that are read for one part, and parts that one job makes. */
  readsPerPart: 100,
  partsPerJob: 4,
  /** What an archive without the 64-bit form holds, with room to spare. */
  files: 60_000,
  bytes: 3 * 1024 * MIB,
  /** One without a new part for so long has lost its job. */
  stallMs: 5 * MINUTE_MS,
  /** One that has not come to its end by then never will. */
  longestMs: DAY_MS,
} as const

/** Custom domains: how long a list of active names is fresh and how old it may be, and when records are looked for again. */
export const DOMAINS = {
  freshMs: 5 * SECOND_MS,
  staleMs: 30 * SECOND_MS,
  /** An active name is looked at daily; hourly once its proof is gone, and it stays for the time of grace. */
  activeMs: DAY_MS,
  doubtMs: HOUR_MS,
  graceMs: 72 * HOUR_MS,
  /** A claim without proof, by its age. */
  pauses: [
    { upToMs: HOUR_MS, pauseMs: 5 * MINUTE_MS },
    { upToMs: 3 * DAY_MS, pauseMs: HOUR_MS },
  ],
  /** Looked at by one run of the cron job, and of these at once. */
  perRun: 200,
  atOnce: 6,
} as const

/** What a tenant may use unless its operator has decided. */
export const FEATURE_DEFAULTS = { custom_domain: true, storylines: true } as const

/** Storylines; bounds of their graphs are part of the format (`GRAPH_LIMITS`). */
export const STORYLINES = {
  perTenant: 500,
  /** Beyond these the oldest revisions go that nobody is on. */
  revisionsKept: 100,
  revisionsShown: 500,
  stallDays: 14,
  /** People that one call moves; more are moved in the background, so many a step. */
  movedAtOnce: 50,
  movedPerStep: 25,
  stepsPerJob: 8,
  /** An order without progress for so long has lost its job. */
  stallMs: 10 * MINUTE_MS,
  /** So long after it is done an order can be taken back. */
  undoMinutes: 30,
  /** Those that a report names, of all that were passed over. */
  skippedShown: 200,
  offerCooldownDays: 30,
  keyLength: 64,
  nameLength: 200,
  descriptionLength: 2000,
  wordLength: 64,
  maxPosition: 1_000_000,
  schemaBytes: 64 * KIB,
  /** Messages of one simulation, the longest of them, and how long the model may be asked in all. */
  simulatedMessages: 50,
  messageLength: 16_000,
  simulationMs: 90_000,
  waitMinutes: 525_600,
  scenariosPerStoryline: 50,
  scenarioBytes: 256 * KIB,
  /** A draft that a model writes: the wish, what it may cost, and what it is told of its first answer. */
  goalLength: 4000,
  draftTokens: 8000,
  draftMs: 60_000,
  faultsTold: 30,
  repairedLength: 30_000,
  /** Places of a change that the audit trail names. */
  pathsAudited: 100,
  /** Graphs of revisions that an isolate keeps. */
  keptRevisions: 32,
} as const

/** An agent's installable page. Pixels; a larger picture would take an isolate's memory to unpack. */
export const APP_ICONS = {
  minSide: 512,
  maxSide: 2048,
  sizes: { small: 192, large: 512, favicon: 48 },
} as const

/** Reviews of one tenant. Lengths in characters. */
export const REVIEWS = {
  /** Beyond these the pending ones asked least, and the oldest decided ones, make room. */
  pending: 2000,
  decided: 5000,
  /** Users whose own words are kept with a review. */
  origins: 20,
  /** The latest questions that a new one is compared with, and reviews that `q` looks into. */
  compared: 1000,
  searched: 1000,
  questionLength: 2000,
  answerLength: 8000,
  sentences: 20,
  titleLength: 200,
  textLength: 100_000,
  draftTokens: 800,
  /** An approval waits so long for its document; a job looks after what takes longer. */
  waitMs: 15 * SECOND_MS,
  pollMs: 200,
  verifyDelayS: 20,
  /** Unverified approvals are taken up by the cron after, and until. */
  verifyAfterMs: 5 * MINUTE_MS,
  verifyUntilMs: DAY_MS,
  modelMs: MINUTE_MS,
} as const

/** The map of what is known of a user. Lengths in characters. */
export const KNOWLEDGE_GRAPH = {
  nodes: { default: 500, max: 2000 },
  labelLength: 80,
  /** Of a text only so much is looked at to place it. */
  textLength: 2000,
  edgesPerItem: 5,
  leastSimilarity: 0.2,
  neighbours: 10,
  queryLength: 200,
  /** Geometries that an isolate keeps; each is checked against the items before it is used again. */
  kept: 20,
} as const

export const QUOTA = {
  defaultMonthlyTokens: 2_000_000,
  warningShare: 0.8,
  /** When to come back to what other turns have reserved, seconds. */
  runningRetryS: 5,
} as const

/** Usage reports: period when none is asked for, longest ones of a user's chart, rows of a group. */
export const USAGE_REPORT = { defaultDays: 30, maxDays: 366, maxHours: 744, rows: 2000 } as const

export const JWT = {
  defaultTtlS: 7 * 24 * 3600,
  minTtlS: 15 * 60,
  maxTtlS: 30 * 24 * 3600,
  leewayS: 60,
  maxBytes: 4096,
} as const

/** Lifetimes of single-use tokens; used and expired ones are kept a day, so that a late repeat is told apart. */
export const ONE_TIME = {
  verifyMs: 24 * HOUR_MS,
  resetMs: 30 * MINUTE_MS,
  oauthMs: 10 * MINUTE_MS,
  keptMs: DAY_MS,
} as const

/** Mail: ports that SMTP may use, bytes of any value in a header or command, and how long a peer may take. */
export const MAIL = {
  ports: [465, 587, 2525],
  greylistS: 15 * 60,
  valueBytes: 998,
  connectMs: 10 * SECOND_MS,
  totalMs: 30 * SECOND_MS,
} as const

/**
 * In characters (code points, after NFC); 256 of them never exceed 1,024 bytes of UTF-8. At most so many calls hash or wait
 * for it, with a pause before each hash.
 */
export const PASSWORD = {
  minLength: 8,
  maxLength: 256,
  hashesAtOnce: 4,
  pauseMs: 10,
  retryAfterS: 2,
  lostMs: 30 * SECOND_MS,
} as const

/** Outbound requests: bytes of the decoded body, time to the headers, time to the last byte, redirects, per turn. */
export const EGRESS = {
  maxBytes: 1 * MIB,
  connectMs: 10 * SECOND_MS,
  totalMs: 30 * SECOND_MS,
  maxRedirects: 3,
  atOnce: 5,
  urlLength: 2048,
} as const

/**
 * Webhooks: how many a tenant has, how long one answer may take, seconds between the attempts of a delivery (some three
 * days in all, so that a weekend is survived), and how long deliveries can be read.
 */
export const WEBHOOKS = {
  perTenant: 20,
  descriptionLength: 200,
  deadlineMs: 15 * SECOND_MS,
  retryS: [5, 60, 300, 1800, 7200, 18_000, 43_200, 43_200, 43_200, 43_200, 43_200],
  /** A delivery in a job's hands: taken up again after that, should the job have died. */
  claimMs: 2 * MINUTE_MS,
  keptDays: 30,
} as const

/**
 * Remote MCP servers. Lengths in characters of what is kept of a tool; a turn offers at most so many tools, and so much of
 * their definitions. A session is one connection to one server; `requests` bounds what a peer can make it send.
 */
export const MCP = {
  serversPerTenant: 50,
  headers: 20,
  headerLength: 4096,
  toolsPerServer: 128,
  toolNameLength: 128,
  descriptionLength: 1024,
  notesLength: 2000,
  announcedSchemaLength: 64_000,
  schemaLength: 8000,
  schemaNodes: 300,
  schemaDepth: 10,
  toolsPerTurn: 64,
  definitionsPerTurn: 64_000,
  discoveryMs: 10 * SECOND_MS,
  callMs: 60 * SECOND_MS,
  sessionMs: 5 * MINUTE_MS,
  closeMs: 3 * SECOND_MS,
  listPages: 16,
  requests: 64,
  /** Calls of one turn to all servers at once; each holds at most two requests open. */
  callsAtOnce: 2,
  /** A server that could not be asked is not asked again by a turn for so long. */
  retryMs: 5 * MINUTE_MS,
  /** Longest message from a check to the tenant: names of tools. */
  namedTools: 10,
} as const

/** Look-ups for the egress guard; an answer is remembered for its own lifetime, at most `cacheMs`. */
export const DNS = {
  maxBytes: 64 * KIB,
  connectMs: 5 * SECOND_MS,
  totalMs: 5 * SECOND_MS,
  cacheMs: 30 * SECOND_MS,
  cacheEntries: 500,
} as const

export const MODEL_DEADLINES = {
  /** Until the first part of a streamed answer; large models queue. */
  firstPartMs: 60 * SECOND_MS,
  /** Between two parts of a stream. */
  idleMs: 45 * SECOND_MS,
  /** A whole call, streamed or not. */
  totalMs: 5 * MINUTE_MS,
  embedMs: 20 * SECOND_MS,
  transcribeMs: 60 * SECOND_MS,
  /** Until the last byte of a speech. */
  speakMs: 90 * SECOND_MS,
} as const

/** Streamed text goes out at most this often: 30 times a second reads as smoothly as every token by itself. */
export const STREAM_PACE_MS = 33

export const EMBEDDING = {
  workersAiModel: '@cf/baai/bge-m3',
  /** Texts a call, at most. */
  batch: 96,
  concurrency: 4,
} as const

export const RERANKING = {
  workersAiModel: '@cf/baai/bge-reranker-base',
  /** Passages that are put in order. */
  candidates: 24,
  /** Then the order of the search stands. */
  deadlineMs: 800,
  /** Longer passages are cut. */
  maxChars: 6000,
  maxAnswerBytes: 256 * KIB,
} as const

export const TRANSCRIPTION = {
  workersAiModel: '@cf/openai/whisper-large-v3-turbo',
  maxChars: 16_000,
  maxAnswerBytes: 1 * MIB,
} as const

export const SPEECH = {
  /** By the language of the words: those of other languages are not read aloud. */
  workersAiModels: { en: '@cf/deepgram/aura-2-en', es: '@cf/deepgram/aura-2-es' },
  /** What an endpoint of OpenAI's form reads with, which asks for a name. */
  voice: 'alloy',
  voiceLength: 64,
  maxChars: 4000,
  /** Some five minutes at the best quality. */
  maxBytes: 12 * MIB,
} as const

export const RATES = {
  chatPerUser: { limit: 60, windowS: 60 },
  chatPerTenant: { limit: 600, windowS: 60 },
  /** Visitors without an account. */
  chatPerAddress: { limit: 120, windowS: 60 },
  badKeys: { limit: 60, windowS: 60 },
  badAdminTokens: { limit: 10, windowS: 60 },
  anonymous: { limit: 20, windowS: 3600 },
  opening: { limit: 120, windowS: 60 },
  login: { limit: 10, windowS: 900 },
  loginAddress: { limit: 50, windowS: 900 },
  register: { limit: 5, windowS: 3600 },
  registerAddress: { limit: 5, windowS: 3600 },
  forgot: { limit: 3, windowS: 3600 },
  resend: { limit: 3, windowS: 3600 },
  ownEmail: { limit: 5, windowS: 3600 },
  mailAddress: { limit: 30, windowS: 3600 },
  userMails: { limit: 20, windowS: 3600 },
  oneTimeTokens: { limit: 20, windowS: 3600 },
  oauth: { limit: 60, windowS: 3600 },
  smtpTest: { limit: 5, windowS: 3600 },
  webhookTest: { limit: 20, windowS: 3600 },
  privacy: { limit: 30, windowS: 3600 },
  bind: { limit: 20, windowS: 3600 },
  bindTries: { limit: 5, windowS: 3600 },
  channelSetup: { limit: 20, windowS: 3600 },
  badChannelSecrets: { limit: 60, windowS: 60 },
  uploads: { limit: 60, windowS: 3600 },
  previewPlan: { limit: 20, windowS: 3600 },
  speech: { limit: 30, windowS: 60 },
  branches: { limit: 60, windowS: 3600 },
  spaces: { limit: 60, windowS: 3600 },
  reminders: { limit: 60, windowS: 3600 },
  domainCheck: { limit: 60, windowS: 3600 },
  mcpChecks: { limit: 60, windowS: 3600 },
} as const
export type RateName = keyof typeof RATES
