import { useLayoutEffect, useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import {
  Button,
  ConfirmDialog,
  Copy,
  FieldFrame,
  Icon,
  Notice,
  Problem,
  useToast,
} from '../../parts'
import { useGuard } from '../../router'
import { useAct } from '../../use-load'
import { useShell } from '../../words'
import { agentApi } from '../paths'
import type { Alias } from '../types'
import { ALIAS_LENGTH, aliasOf, aliasState } from './alias-state'
import { LazyQr } from './lazy-qr'
import type { ShareData } from './load-share'
import { useShareWords } from './words'

interface Props {
  data: ShareData
  onStored: (alias: Alias) => void
}

/** The agent's own page: its address, the link to it, and the code that leads there. */
export function Address({ data, onStored }: Props) {
  const t = useShareWords()
  const { agent, alias } = data
  return (
    <section class="card stack" aria-labelledby="share-page">
      <div>
        <h2 id="share-page">{t('pageTitle')}</h2>
        <p class="muted small">{t('pageHint')}</p>
      </div>
      {!agent.published && <Notice tone="warn">{t('pageUnpublished')}</Notice>}
      <div class="page-link">
        <div class="stack">
          <AliasForm {...{ data, onStored }} />
          {alias.url !== null && <PageLink url={alias.url} />}
        </div>
        {alias.url !== null && <LazyQr text={alias.url} name={agent.name} />}
      </div>
      {data.domain?.agent_alias != null && data.domain.agent_alias === alias.alias && (
        <p class="small">
          {t(data.domain.status === 'active' ? 'domainActive' : 'domainWaits', {
            domain: data.domain.domain,
          })}
        </p>
      )}
    </section>
  )
}

function AliasForm({ data, onStored }: Props) {
  const t = useShareWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act, clear } = useAct()
  const { agent, alias: stored, otherAliases } = data
  const suggested = stored.alias ?? aliasOf(agent.display_name ?? agent.name)
  const [written, setWritten] = useState(suggested)
  useLayoutEffect(() => setWritten(suggested), [stored.alias])
  const [asks, setAsks] = useState(false)
  const state = aliasState(written, stored.alias, otherAliases)
  const isFree = state === 'free'
  const isWrong =
    state === 'signs' || state === 'edges' || state === 'reserved' || state === 'taken'
  useGuard(written !== suggested)
  const put = async () => {
    const alias = written === '' ? null : written
    onStored(await api.put<Alias>(`${agentApi(agent.name)}/alias`, { alias }))
    say(t(alias === null ? 'aliasCleared' : 'aliasSaved'))
  }
  // Whoever has the old address finds nothing there any more.
  const save = () => (stored.alias === null ? void act(put) : setAsks(true))
  const refused = problem?.fields.find(({ path }) => path === 'alias')?.message ?? null
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isFree && !busy) save()
      }}
    >
      <FieldFrame
        label={t('alias')}
        hint={
          <span role="status">
            {isFree && written !== '' && <Icon name="check" />} {t(`alias_${state}`)}
          </span>
        }
        error={refused ?? (isWrong ? t(`alias_${state}`) : null)}
      >
        {(tied) => (
          <span class="alias-input" dir="ltr">
            <span class="muted mono">{stored.url_prefix.replace(/^https?:\/\//, '')}</span>
            <input
              {...tied}
              type="text"
              class="mono"
              spellcheck={false}
              autocomplete="off"
              autocapitalize="none"
              maxLength={ALIAS_LENGTH}
              value={written}
              onInput={(event) => {
                setWritten(event.currentTarget.value.toLowerCase())
                clear()
              }}
            />
          </span>
        )}
      </FieldFrame>
      {problem && refused === null && <Problem of={problem} />}
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={!isFree}>
          {shell('save')}
        </Button>
        {written !== suggested && (
          <Button onClick={() => setWritten(suggested)}>{shell('discard')}</Button>
        )}
      </div>
      {asks && (
        <ConfirmDialog
          title={t('aliasChangeTitle')}
          text={t('aliasChangeText')}
          lost={[t('lostPage', { alias: stored.alias ?? '' })]}
          confirm={t('aliasChange')}
          onConfirm={put}
          onClose={() => setAsks(false)}
        />
      )}
    </form>
  )
}

function PageLink({ url }: { url: string }) {
  const t = useShareWords()
  return (
    <div class="row">
      <a class="page-url" href={url} target="_blank" rel="noopener" dir="ltr">
        {url}
      </a>
      <Copy text={url} label={t('copyLink')} />
    </div>
  )
}
