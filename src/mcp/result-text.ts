import type { CallToolResult } from './connect'

/** What a remote tool said, as one text: texts and embedded texts as they are, a line for what only a person could see. Pure. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(partText)
  if (parts.length === 0 && structuredContent !== undefined)
    return JSON.stringify(structuredContent)
  return parts.join('\n')
}

function partText(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'resource':
      return 'text' in part.resource
        ? part.resource.text
        : `[a file that cannot be read here: ${part.resource.mimeType ?? 'unknown type'}]`
    case 'resource_link':
      return `${part.name}: ${part.uri}`
    default:
      return `[${part.type} that cannot be shown here: ${part.mimeType}]`
  }
}
