import { useShell } from '../words'
import { changedFields, lineDiff, textOf } from './find-changes'

export interface DiffProps {
  before: unknown
  after: unknown
  /** What the pages call a field; null: its path stands for it. */
  labelOf?: ((path: string) => string | null) | undefined
}

/** Two states of something, field by field, changed ones only; lines of a text one by one. */
export function Diff({ before, after, labelOf }: DiffProps) {
  const t = useShell()
  const changes = changedFields(before, after)
  // Beside a label a switch is on or off; beside a path it has the value that a program would see.
  const read = (value: unknown) =>
    labelOf && typeof value === 'boolean' ? t(value ? 'on' : 'off') : textOf(value)
  if (changes.length === 0) return <p class="muted">{t('noChanges')}</p>
  return (
    <dl class="diff">
      {changes.map(({ path, from, to }) => (
        <div key={path}>
          <dt>{labelOf?.(path) ?? <code dir="ltr">{path === '' ? t('all') : path}</code>}</dt>
          <dd>
            {read(from) === '' && read(to) === '' && <p class="diff-line muted">{t('none')}</p>}
            {lineDiff(read(from), read(to)).map((line, at) => (
              <div key={at} class={`diff-line ${line.kind}`}>
                <span aria-hidden="true">{SIGNS[line.kind]}</span>
                {line.kind !== 'same' && (
                  <span class="sr">{t(line.kind === 'added' ? 'added' : 'removed')} </span>
                )}
                <bdi dir={isJson(from) || isJson(to) ? 'ltr' : 'auto'}>{line.text}</bdi>
              </div>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Brackets and commas of JSON have no direction of their own: on a page from right to left they would change sides. */
const isJson = (value: unknown): boolean => typeof value === 'object' && value !== null

const SIGNS = { added: '+', removed: '−', same: ' ' }
