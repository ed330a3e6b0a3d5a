import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ApiProblem } from '../api/call'
import { isBeyondKey, isGone, NEW_VERSION } from '../api/problem'
import type { Loaded } from '../use-load'
import { useFormat, useShell } from '../words'
import { Button } from './button'
import { Copy } from './copy'
import { Icon, type IconName } from './icons'
import { useToast } from './toast'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet'

const TONE_ICONS: Record<Tone, IconName | null> = {
  ok: 'check',
  warn: 'warn',
  bad: 'close',
  info: 'info',
  quiet: null,
}

/** A state in a word, with its icon: never by colour alone. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  const icon = TONE_ICONS[tone]
  return (
    <span class={`badge ${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}

/** What stands above a part of a page: something to know, or to mend. */
export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`}>
      <Icon name={TONE_ICONS[tone] ?? 'info'} />
      <div>{children}</div>
    </div>
  )
}

/** What went wrong, in words. */
function useProblemText(): (problem: ApiProblem) => string {
  const t = useShell()
  const format = useFormat()
  return (of) => {
    if (of.code === NEW_VERSION) return t('newVersion')
    if (of.code === 'page') return t('pageFault')
    if (of.status === 0) return t('offline')
    if (of.status >= 500 && of.code === null) return t('serverFault')
    if (isBeyondKey(of)) return t('beyondKey')
    if (isGone(of) && of.status === 422) return t('goneText')
    if (!of.waitS) return of.detail
    // The API's words end without a stop where they stand alone.
    const said = of.detail.replace(/[\p{L}\p{N}]$/u, '$&.')
    return `${said} ${t('tryAgain', { when: format.wait(of.waitS) })}`
  }
}

/** Says what went wrong where its place on the page may be out of sight. */
export function useTold(problem: ApiProblem | null): void {
  const say = useToast()
  const textOf = useProblemText()
  useEffect(() => {
    if (problem) say(textOf(problem))
  }, [problem])
}

/** A refusal in its own words, with the id by which it is found in the log. */
export function Problem({ of, retry }: { of: ApiProblem | null; retry?: () => void }) {
  const t = useShell()
  const textOf = useProblemText()
  // A key that is refused is told by the way in, and over once somebody came in by another.
  if (of === null || of.status === 401) return null
  if (of.code === NEW_VERSION) return <NewVersion />
  return (
    <div class="notice bad" role="alert">
      <Icon name="warn" />
      <div>
        <p>
          <bdi>{textOf(of)}</bdi>
        </p>
        {of.requestId && (
          <p class="small muted row">
            <span>
              {t('requestId')} <code dir="ltr">{of.requestId}</code>
            </span>
            <Copy text={of.requestId} />
          </p>
        )}
        {retry && (
          <Button small onClick={retry} icon="retry">
            {t('retry')}
          </Button>
        )}
      </div>
    </div>
  )
}

interface EmptyProps {
  title: string
  text?: string | undefined
  action?: ComponentChildren
}

/** The address stays, and the browser asks where something is not saved. */
function NewVersion() {
  const t = useShell()
  return (
    <div class="notice info" role="alert">
      <Icon name="info" />
      <div>
        <p>{t('newVersion')}</p>
        <Button small onClick={() => location.reload()} icon="retry">
          {t('reload')}
        </Button>
      </div>
    </div>
  )
}

/** Nothing yet, and the first step. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {text && <p class="muted">{text}</p>}
      {action}
    </div>
  )
}

export function Loading() {
  const t = useShell()
  return (
    <div class="loading" role="status">
      <span class="sr">{t('loading')}</span>
      <span class="bone" />
      <span class="bone" />
      <span class="bone" />
    </div>
  )
}

interface LoadableProps<T> {
  of: Loaded<T>
  children: (data: T) => ComponentChildren
}

/** What was loaded stays while it is loaded again; what went wrong stands above it. */
export function Loadable<T>({ of, children }: LoadableProps<T>) {
  const t = useShell()
  if (of.data === null) {
    if (of.problem === null) return <Loading />
    // Deleted meanwhile, or a link that was cut: asking again changes nothing.
    if (isGone(of.problem)) return <Empty title={t('gone')} text={t('goneText')} />
    return <Problem of={of.problem} retry={of.reload} />
  }
  return (
    <>
      <Problem of={of.problem} retry={of.reload} />
      {children(of.data)}
    </>
  )
}
