import { type Loopback, startLoopback } from './loopback'

interface RerankCall {
  authorization: string | undefined
  body: {
    model?: string
    query: string
    documents: string[]
    top_n: number
    return_documents: boolean
  }
}

export interface RerankServer extends Pick<Loopback, 'origin' | 'pair' | 'close'> {
  url: string
  calls: RerankCall[]
  /** What it answers; by default those texts first that hold more of the question's words. Null: nothing, ever. */
  script: (call: RerankCall) => { status?: number; text: string } | null
}

/** A reranker on the loopback that speaks Cohere's and Jina's protocol. */
export async function startReranker(): Promise<RerankServer> {
  const loopback = await startLoopback((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { authorization } = request.headers
      const body = JSON.parse(Buffer.concat(parts).toString()) as RerankCall['body']
      const call = { authorization, body }
      server.calls.push(call)
      const answer = server.script(call)
      if (answer === null) return
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      response.end(answer.text)
    })
  })
  const server: RerankServer = {
    ...loopback,
    url: `${loopback.origin}/v1/rerank`,
    calls: [],
    script: ({ body }) => ({ text: JSON.stringify(byWords(body)) }),
  }
  return server
}

/** Best first, as both providers answer. */
export function byWords({ query, documents }: Pick<RerankCall['body'], 'query' | 'documents'>) {
  const words = query.toLowerCase().match(/\w{4,}/g) ?? []
  const results = documents.map((text, index) => ({
    index,
    relevance_score: words.filter((word) => text.toLowerCase().includes(word)).length / 10,
  }))
  results.sort((one, other) => other.relevance_score - one.relevance_score)
  return { id: 'r-1', results, usage: { total_tokens: 77 } }
}
