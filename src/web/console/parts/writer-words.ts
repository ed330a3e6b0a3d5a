import type { WriterLabels } from '../../kit/markdown/elements'
import type { useShell } from '../words'

/** What the Markdown writer calls its own buttons and labels. */
export const writerWords = (shell: ReturnType<typeof useShell>): WriterLabels => ({
  copyCode: shell('copy'),
  code: shell('code'),
  table: shell('table'),
  done: shell('taskDone'),
  notDone: shell('taskOpen'),
})
