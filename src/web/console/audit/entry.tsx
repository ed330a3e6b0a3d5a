import { useEffect, useId, useState } from 'preact/hooks'
import { Actor, Badge, Diff, Icon, KeyValues, type Tone } from '../parts'
import { Link } from '../router'
import { useFormat, useShell } from '../words'
import { checkEntry, type Fault } from './chain'
import { placeOf } from './place'
import type { AuditEntry } from './types'
import { ACTIONS, ENTITIES, wordOf } from './vocabulary'
import { type AuditKey, useAuditWords } from './words'

const TONES: Record<string, Tone> = {
  create: 'ok',
  publish: 'ok',
  approve: 'ok',
  delete: 'bad',
  revoke: 'bad',
  reject: 'warn',
  unpublish: 'warn',
}

const VIA = { api: 'viaApi', console: 'viaConsole', mcp: 'viaMcp' } as const

export const FAULT_WORDS = {
  hash: 'faultHash',
  facts: 'faultFacts',
  link: 'faultLink',
  gap: 'faultGap',
} as const satisfies Record<Fault, AuditKey>

export function Entry({ entry }: { entry: AuditEntry }) {
  const t = useAuditWords()
  const format = useFormat()
  const id = useId()
  const [open, setOpen] = useState(false)
  const place = placeOf(entry)
  const { action, entity, entity_name, actor, via, created_at, seq } = entry
  return (
    <li>
      <button
        type="button"
        class="audit-row"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="next" />
        <span class="audit-what">
          <Badge tone={TONES[action] ?? 'quiet'}>{wordOf(ACTIONS, t, action)}</Badge>
          <span class="muted">{wordOf(ENTITIES, t, entity)}</span>
          <b>
            <bdi>{entity_name ?? ''}</bdi>
          </b>
        </span>
        <span class="audit-who small muted">
          <Actor of={actor} /> · {t(VIA[via])}
        </span>
        <time class="small muted tabular" dateTime={created_at}>
          {format.time(created_at)}
        </time>
        <span class="small muted mono audit-seq" dir="ltr">
          #{seq}
        </span>
      </button>
      {open && (
        <div id={id} class="audit-detail stack">
          {/* What was made or is gone is read field by field too. */}
          {place !== null && (
            <p>
              <Link to={place}>{t('open')}</Link>
            </p>
          )}
          <Diff before={entry.before ?? {}} after={entry.after ?? {}} />
          <Chain entry={entry} />
        </div>
      )}
    </li>
  )
}

/** The entry's place in the chain; it is checked here, in the browser, when it is opened. */
function Chain({ entry }: { entry: AuditEntry }) {
  const t = useAuditWords()
  const shell = useShell()
  const format = useFormat()
  const [fault, setFault] = useState<Fault | null | undefined>(undefined)
  useEffect(() => {
    void checkEntry(entry).then(setFault)
  }, [entry])
  const code = (text: string | null) =>
    text === null ? (
      <span class="muted">{shell('none')}</span>
    ) : (
      <code dir="ltr" class="audit-hash">
        {text}
      </code>
    )
  return (
    <KeyValues
      rows={[
        [
          t('seal'),
          entry.hash === null ? (
            <Badge tone="quiet">{t('notSealed')}</Badge>
          ) : fault === undefined ? (
            shell('loading')
          ) : fault === null ? (
            <Badge tone="ok">{t('sealFits')}</Badge>
          ) : (
            <Badge tone="bad">{t(FAULT_WORDS[fault], { n: entry.seq })}</Badge>
          ),
        ],
        [t('sealedAt'), entry.sealed_at === null ? shell('none') : format.time(entry.sealed_at)],
        [t('hash'), code(entry.hash)],
        [t('prevHash'), code(entry.prev_hash)],
        [t('entityId'), code(entry.entity_id)],
        [shell('requestId'), code(entry.request_id)],
      ]}
    />
  )
}
