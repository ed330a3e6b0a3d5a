import { useShell } from '../words'
import { changedFields, lineDiff, textOf } from './find-changes'

/** Two states of something, field by field, changed ones only; lines of a text one by one. */
export function Diff({ before, after }: { before: unknown; after: unknown }) {
  const t = useShell()
  const changes = changedFields(before, after)
  if (changes.length === 0) return <p class="muted">{t('noChanges')}</p>
  return (
    <dl class="diff">
      {changes.map(({ path, from, to }) => (
        <div key={path}>
          <dt>
            <code dir="ltr">{path === '' ? t('all') : path}</code>
          </dt>
          <dd>
            {lineDiff(textOf(from), textOf(to)).map((line, at) => (
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
