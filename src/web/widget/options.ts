/** How a site places the chat: the `data-` attributes of the script. */
export interface Options {
  /** Origin of the deployment: where the script came from. */
  app: string
  tenant: string
  agent: string | null
  lang: string
  theme: string
  accent: string | null
  position: 'end' | 'start'
  offsetX: number
  offsetY: number
  zIndex: number
  launcher: 'bubble' | 'label' | 'none'
  label: string | null
  open: 'no' | 'once' | 'always'
  greeting: boolean
  target: string | null
  nonce: string | null
}

/** Null where nothing says whose chat it is. What has no known value takes the default. */
export function readOptions({ src, dataset, nonce }: HTMLScriptElement): Options | null {
  const { tenant } = dataset
  if (!tenant) return null
  const oneOf = <T extends string>(name: string, first: T, ...others: T[]): T =>
    others.find((value) => value === dataset[name]) ?? first
  const whole = (name: string, usual: number): number => {
    const value = Number.parseInt(dataset[name] ?? '', 10)
    return Number.isNaN(value) ? usual : value
  }
  return {
    app: new URL(src).origin,
    tenant,
    agent: dataset.agent || null,
    lang: dataset.lang || 'auto',
    theme: oneOf('theme', 'auto', 'light', 'dark'),
    accent: dataset.accent?.match(/^#[0-9a-f]{6}$/i)?.[0] ?? null,
    position: oneOf('position', 'end', 'start'),
    offsetX: whole('offsetX', 20),
    offsetY: whole('offsetY', 20),
    zIndex: whole('zIndex', 2_147_483_000),
    launcher: oneOf('launcher', 'bubble', 'label', 'none'),
    label: dataset.label || null,
    open: oneOf('open', 'no', 'once', 'always'),
    greeting: dataset.greeting !== 'off',
    target: dataset.target || null,
    nonce: dataset.nonce || nonce || null,
  }
}

/** Address of the chat in its frame: what the server has to know before the first paint, and behind `#` what it need not. */
export function frameAddress(options: Options, host: Record<string, string>): string {
  const { app, tenant, agent, lang, theme, accent, greeting } = options
  const url = new URL(
    `/widget/${encodeURIComponent(tenant)}${agent ? `/${encodeURIComponent(agent)}` : ''}`,
    app,
  )
  if (lang !== 'auto') url.searchParams.set('lang', lang)
  if (theme !== 'auto') url.searchParams.set('theme', theme)
  if (accent) url.searchParams.set('accent', accent.slice(1))
  if (!greeting) url.searchParams.set('greeting', 'off')
  url.hash = String(new URLSearchParams(host))
  return url.href
}
