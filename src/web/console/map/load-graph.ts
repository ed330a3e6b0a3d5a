import type { Api, Query } from '../api/create-api'
import { ApiProblem } from '../api/problem'
import type { Graph } from './types'

export interface Progress {
  stage: string
  done: number
  total: number
}

/** Draws a map and tells how far it is. @throws ApiProblem, also where the stream says that it failed or ends early. */
export async function loadGraph(
  api: Api,
  path: string,
  query: Query,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Graph> {
  const response = await api.raw('GET', path, { query: { ...query, stream: true }, signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    const { events, rest: left } = takeEvents(rest + value)
    rest = left
    for (const { event, data } of events) {
      if (event === 'progress') onProgress(data as Progress)
      if (event === 'done') return data as Graph
      if (event === 'error') throw failure(data as { code: string; detail: string }, response)
    }
  }
  throw new ApiProblem(0, 'offline')
}

const failure = ({ code, detail }: { code: string; detail: string }, response: Response) =>
  new ApiProblem(
    code === 'internal' ? 500 : 400,
    detail,
    code,
    response.headers.get('X-Request-Id'),
  )

/** The whole events at the beginning of a text of server-sent events, and what is left of it. Comments are no events. */
export function takeEvents(text: string): {
  events: { event: string; data: unknown }[]
  rest: string
} {
  const blocks = text.split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block) => {
    const lines = block.split('\n')
    const read = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    const [event, data] = [read('event'), read('data')]
    return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }]
  })
  return { events, rest }
}
