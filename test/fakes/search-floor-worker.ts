import {
  KnowledgeBase as Base,
  type StageResult,
} from '../../durable-objects/knowledge-base/knowledge-base'
import { TermStatistics } from '../../durable-objects/knowledge-base/term-statistics'
import { VersionStore } from '../../durable-objects/knowledge-base/version-store'
import { detectMode } from '../../src/knowledge/analyze'
import { analyzeQuery, buildMatch, dropFrequent } from '../../src/knowledge/query-terms'

const TENANT = 'bench'
const SHARED = { tenantId: TENANT, version: '1' }

/** The knowledge base with its floor beside it: the same two MATCH strings, asked of SQLite and nothing else. */
export class KnowledgeBase extends Base {
  async add(documentId: string, texts: string[]): Promise<StageResult> {
    const chunks = texts.map((text, n) => ({
      n,
      text,
      heading: null,
      page: null,
      start: 0,
      end: text.length,
    }))
    const staged = await this.stageChunks({
      ...SHARED,
      baseId: TENANT,
      documentId,
      title: documentId,
      from: 0,
      chunks,
    })
    const total = chunks.length
    await this.commitDocument({
      ...SHARED,
      documentId,
      name: documentId,
      title: '',
      url: null,
      total,
    })
    return staged
  }

  /** The questions' MATCH strings, which the search makes each time anew. */
  async prepare(questions: string[]): Promise<[string, string][]> {
    const { sql } = this.ctx.storage
    const versions = new VersionStore(sql)
    const terms = new TermStatistics(sql)
    return questions.map((question) => {
      const { a, b, phrases } = analyzeQuery(question, versions.modesFor(detectMode(question)))
      const kept = dropFrequent(a.flat(), terms.lookUpA(a.flat()))
      return [buildMatch(kept, phrases), buildMatch(dropFrequent(b, terms.frequentB()))]
    })
  }

  /** The floor: both lists of every prepared question. Returns the rows found. */
  async bare(prepared: [string, string][]): Promise<number> {
    let rows = 0
    for (const matches of prepared) {
      for (const [i, match] of matches.entries()) {
        const index = i === 0 ? 'kb_a' : 'kb_b'
        const found = this.ctx.storage.sql.exec(
          `SELECT rowid, bm25(${index}, 2.0, 1.0) AS s FROM ${index} WHERE ${index} MATCH ? ORDER BY s LIMIT 100`,
          match,
        )
        rows += found.toArray().length
      }
    }
    return rows
  }

  async full(questions: string[], k: number): Promise<number> {
    let hits = 0
    for (const query of questions) {
      hits += (await this.search({ tenantId: TENANT, query, k })).hits.length
    }
    return hits
  }
}

interface Call {
  name: string
  method: 'add' | 'prepare' | 'bare' | 'full'
  args: unknown[]
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { name, method, args } = await request.json<Call>()
    const stub = env.KNOWLEDGE_BASE.get(env.KNOWLEDGE_BASE.idFromName(name))
    const call = Reflect.get(stub, method) as (...args: unknown[]) => Promise<unknown>
    return Response.json((await call(...args)) ?? null)
  },
}
