export interface WrittenCall {
  method: string
  /** With its query, without the origin. */
  path: string
  body?: unknown
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export function asCurl(origin: string, { method, path, body }: WrittenCall): string {
  const lines = [
    `curl -X ${method} ${quoted(origin + path)}`,
    '-H "X-API-Key: $PARLEY_KEY"',
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}

export function asTypeScript(origin: string, { method, path, body }: WrittenCall): string {
  const json =
    body === undefined
      ? ''
      : `\n  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`
  const type = body === undefined ? '' : `, 'Content-Type': 'application/json'`
  return `const response = await fetch(${JSON.stringify(origin + path)}, {
  method: '${method}',
  headers: { 'X-API-Key': process.env.PARLEY_KEY${type} },${json}
})
if (!response.ok) throw new Error(await response.text())
const answer = await response.json()`
}
