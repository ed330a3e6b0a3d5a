import { useEffect, useRef, useState } from 'preact/hooks'
import { HOST_KEY, type ToFrame, type ToHost } from '../../../kit/widget/protocol'
import { Button, Icon } from '../../parts'
import type { ShareData } from './load-share'
import { frameAddress, isColour, type SnippetOptions } from './snippet'
import { useShareWords } from './words'

interface Props {
  data: ShareData
  options: SnippetOptions
}

/** Lines of the page that stands for the tenant's. */
const BONES = ['title', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']

/** The launcher on a page that stands for the tenant's, and behind it the chat itself, as a visitor meets it. */
export function WidgetPreview({ data: { agent, tenant }, options }: Props) {
  const t = useShareWords()
  const [open, setOpen] = useState(false)
  const { position, launcher, offsetX, offsetY, label } = options
  const accent = isColour(options.accent) ? options.accent : tenant.accent
  const src = frameAddress(
    { tenant: tenant.id, agent: agent.name, host: location.origin, hostKey: HOST_KEY },
    options,
  )
  const isInline = options.target !== ''
  // Where the tenant names its sites, the browser shows the chat on no other.
  const { widgetOrigins } = tenant
  const isRefused = widgetOrigins.length > 0 && !widgetOrigins.includes(location.origin)
  const hint = isRefused ? 'previewRefused' : agent.published ? 'previewHint' : 'previewUnpublished'
  return (
    <div class="widget-preview">
      <h3 class="sr">{t('preview')}</h3>
      <div
        class="widget-site"
        data-position={position}
        style={{
          '--offset-x': `${offsetX}px`,
          '--offset-y': `${offsetY}px`,
          ...(accent === null ? {} : { '--launcher': accent }),
        }}
      >
        <div class="widget-bones" aria-hidden="true">
          {BONES.map((name) => (
            <span key={name} />
          ))}
        </div>
        {open && !isRefused && <Frame key={src} src={src} title={t('preview')} inline={isInline} />}
        {launcher !== 'none' && !isInline && (
          <button
            type="button"
            class={launcher === 'label' ? 'widget-launcher has-label' : 'widget-launcher'}
            aria-expanded={open}
            aria-label={label || t('chat')}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'close' : 'agents'} />
            {launcher === 'label' && <bdi>{label || t('chat')}</bdi>}
          </button>
        )}
      </div>
      {(launcher === 'none' || isInline) && (
        <div class="row">
          <Button small onClick={() => setOpen(!open)} expanded={open}>
            {t(open ? 'previewClose' : 'previewOpen')}
          </Button>
        </div>
      )}
      <p class="hint">{t(hint)}</p>
    </div>
  )
}

function Frame({ src, title, inline }: { src: string; title: string; inline: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    // The chat waits for a first word of the page that shows it, as it would on any site.
    const hear = ({ source, origin, data }: MessageEvent<ToHost>) => {
      const there = frame.current?.contentWindow
      if (!there || source !== there || origin !== location.origin || data.type !== 'ready') return
      const word: ToFrame = { type: 'open', quiet: true }
      there.postMessage(word, location.origin)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  return (
    <iframe
      ref={frame}
      class={inline ? 'widget-frame inline' : 'widget-frame'}
      src={src}
      title={title}
    />
  )
}
