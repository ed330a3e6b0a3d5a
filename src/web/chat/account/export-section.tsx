import { useEffect, useState } from 'preact/hooks'
import { readStored, writeStored } from '../../kit/net/storage'
import { useApp } from '../ui/context'
import { AccountRefused, type Export } from './account-api'
import { Said, Section, useAccount, useTask } from './parts'

const LOOK_MS = 2000
const KEEP_MS = 1000

/** All that is kept of the person, to take away: asked for, watched until it is there, downloaded. */
export function ExportSection() {
  const { api, w, locale, agent } = useAccount()
  const { boot } = useApp()
  const task = useTask()
  const [shown, setShown] = useState<Export | null>(null)
  const key = `parley:${boot.tenant.id}:export`

  const look = async (id: string) => {
    try {
      setShown(await api.call<Export>('GET', `/me/exports/${id}`))
    } catch (error) {
      // Another person's, or no longer kept.
      if (!(error instanceof AccountRefused) || error.status !== 404) throw error
      writeStored(key, null)
    }
    return null
  }
  useEffect(() => {
    const known = readStored(key)
    if (known !== null) void task.run(() => look(known))
  }, [api])
  const running = shown?.status === 'running' ? shown.id : null
  useEffect(() => {
    if (running === null) return
    const timer = setInterval(() => void look(running).catch(() => {}), LOOK_MS)
    return () => clearInterval(timer)
  }, [running, api])

  const begin = () =>
    task.run(async () => {
      const begun = await api.call<Export>('POST', '/me/exports')
      writeStored(key, begun.id)
      setShown(begun)
      return null
    })
  const download = ({ id }: Export) =>
    task.run(async () => {
      const url = URL.createObjectURL(await api.download(`/me/exports/${id}/file`))
      const link = document.createElement('a')
      link.href = url
      link.download = 'export.zip'
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), KEEP_MS)
      return null
    })
  const words = () => {
    if (shown === null) return ''
    if (shown.status === 'running') return w('exportRunning')
    if (shown.status === 'ready') return w('exportReady', { time: day(shown.expires_at) })
    return shown.error === 'too_large'
      ? w('exportTooLarge', { agent: agent.name })
      : w('exportFailed')
  }
  const day = (time: string) =>
    new Intl.DateTimeFormat(locale.lang, { dateStyle: 'medium' }).format(Date.parse(time))
  return (
    <Section title={w('exportTitle')}>
      <p>{w('exportHint')}</p>
      <p class={shown?.status === 'failed' ? 'is-bad' : undefined} role="status">
        {words()}
      </p>
      <div class="row">
        {shown?.status === 'ready' && (
          <button
            type="button"
            class="button"
            aria-disabled={task.busy}
            onClick={() => task.busy || void download(shown)}
          >
            {w('exportDownload')}
          </button>
        )}
        <button
          type="button"
          class="button"
          aria-disabled={task.busy || running !== null}
          onClick={() => task.busy || running !== null || void begin()}
        >
          {w('exportStart')}
        </button>
      </div>
      <Said task={task} />
    </Section>
  )
}
