import { LIMITS } from '../../../src/config/limits'
import { KEYWORD_SCORE, TITLE_SCORE } from '../../../src/sessions/near-titles'
import { cutText } from '../../../src/text/cut'
import { foldText } from '../../../src/text/fold'
import { westernDigits } from '../../../src/text/western-digits'
import type { SpaceKeys } from '../core/space-keys'
import type { Stores } from '../core/stores'
import { readBody } from './message-body'
import type { MessageStore } from './message-store'
import type { SessionRow } from './session-row'
import type { TitleVectors } from './title-vectors'
import { type SearchView, viewSession } from './views'

const SEARCH_HITS = 20
const SNIPPET_CHARS = 160

/**
 * Sessions whose title, or else whose text, holds every word of the query, and those whose title means it. Content is opened
 * in memory, newest sessions first, until enough is found.
 * @param agent only those with it
 */
export async function searchSessions(
  keys: SpaceKeys,
  stores: Stores,
  titleVectors: TitleVectors,
  query: string,
  agent: string | null,
): Promise<SearchView[]> {
  const words = fold(query).split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const sessions = stores.sessions
    .all()
    .filter(({ agent_name }) => agent === null || agent_name === agent)
  const titles = new Map<string, string | null>()
  const found = new Map<string, SearchView>()
  const add = (session: SessionRow, hit: Pick<SearchView, 'snippet' | 'score' | 'match'>) => {
    const title = titles.get(session.id) ?? null
    found.set(session.id, {
      ...{ sessionId: session.id, title, updatedAt: session.updated_at },
      ...hit,
    })
  }
  for (const session of sessions) {
    const { title } = await viewSession(keys, session)
    titles.set(session.id, title)
    if (title !== null && holdsAll(title, words)) {
      add(session, { snippet: title, score: TITLE_SCORE, match: 'title' })
    }
  }
  const near = titleVectors.near(keys, query, sessions, titles)
  // Whatever ends the search first: this one is nobody else's to catch.
  near.catch(() => {})
  for (const session of sessions) {
    if (found.size >= SEARCH_HITS) break
    if (found.has(session.id)) continue
    const snippet = await findInMessages(keys, stores.messages, session.id, words)
    if (snippet !== null) add(session, { snippet, score: KEYWORD_SCORE, match: 'keyword' })
  }
  const scores = await near
  for (const session of sessions) {
    const score = scores.get(session.id)
    const title = titles.get(session.id)
    if (score === undefined || !title || score <= (found.get(session.id)?.score ?? 0)) continue
    add(session, { snippet: title, score, match: 'title' })
  }
  const hits = [...found.values()]
  hits.sort((one, other) => other.score - one.score || other.updatedAt - one.updatedAt)
  return hits.slice(0, SEARCH_HITS)
}

async function findInMessages(
  keys: SpaceKeys,
  messages: MessageStore,
  sessionId: string,
  words: string[],
): Promise<string | null> {
  const rows = messages.ofSession(sessionId)
  for (let i = 0; i < rows.length; i += LIMITS.historyWindow.max) {
    const bodies = await Promise.all(
      rows.slice(i, i + LIMITS.historyWindow.max).map((row) => readBody(keys, row)),
    )
    const body = bodies.find((body) => body !== null && holdsAll(body.content, words))
    if (body) return cutSnippet(body.content, words[0] ?? '')
  }
  return null
}

function holdsAll(text: string, words: string[]): boolean {
  const folded = fold(text)
  return words.every((word) => folded.includes(word))
}

const fold = (text: string) => foldText(westernDigits(text))

/** Where a word begins in a text of which folding takes signs away, or makes several of one. */
function placeOf(word: string, text: string): number {
  const folded = fold(text).indexOf(word)
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fold(text.slice(0, middle)).length <= folded) low = middle
    else high = middle - 1
  }
  return low
}

/** The surroundings of the first word, cut at spaces where there are some. */
function cutSnippet(text: string, word: string): string {
  const at = Math.max(0, placeOf(word, text) - Math.floor(SNIPPET_CHARS / 3))
  const rest = text.slice(at).replace(/^[\udc00-\udfff]/, '')
  return cutText(rest, SNIPPET_CHARS).replaceAll(/\s+/gu, ' ').trim()
}
