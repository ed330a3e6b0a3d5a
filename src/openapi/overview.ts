/** The description's own text, Markdown. */
export const OVERVIEW = `Chat agents that answer from a tenant's own knowledge, with their sources.

## Credentials

| Who | How |
|---|---|
| A tenant | \`X-API-Key: pk_…\` or \`Authorization: Bearer pk_…\` |
| An end user | \`Authorization: Bearer <token>\` (a JWT) |
| A tenant on behalf of an end user | a tenant key and \`X-End-User\` |
| The operator | \`X-Admin-Token\`; with \`X-Act-Tenant\` on behalf of a tenant |

Credentials that contradict each other are refused (400), and one that is not valid is refused even beside a valid one.

## Errors

\`{"detail": "text"}\`, sometimes with a stable \`code\`; 422 has a list: \`{"detail": [{"type", "loc", "msg"}]}\`. \`loc\` begins with body, query, path or header.
Somebody else's object and an absent one answer alike, 404. Every answer carries \`X-Request-Id\`, every 429 \`Retry-After\`.
The OpenAI-compatible operations also carry \`{"error": {"message", "type", "param", "code"}}\`, which that protocol's clients read.

## Conventions

- Times are UTC, ISO 8601 with \`Z\`; ids are UUIDs. Unknown fields of a body are ignored.
- Pages are \`{"items", "next_cursor"}\`; pass \`next_cursor\` as \`cursor\` with the same filters until it is null.
- \`Idempotency-Key\` makes a creating POST or a message repeatable for 24 hours.
- PATCH changes what is sent; \`null\` resets a field to its default; \`…_add\` and \`…_remove\` change lists.

## Streams

\`POST /v1/chat/stream\` answers with server-sent events. Each has an \`id\` (a rising integer), an \`event\` and one JSON object: first \`session\`, then \`status\`, \`reasoning\`,
\`tool\`, \`token\`, \`replace\`, \`sources\` and others as they come, last \`done\` (what \`POST /v1/chat\` would have answered) or \`error\`. Lines that begin with a colon are pings.
A lost connection does not stop the turn: \`GET /v1/chat/stream/{message_id}\` with \`Last-Event-ID\` goes on where it broke.
`
