import { useShell } from '../words'

/** Who did something, as the API names them: of a key its name, also where the key came in by MCP. */
export function Actor({ of }: { of: string }) {
  const t = useShell()
  const [, kind = of, name = ''] = /^(\w+)(?::(.+))?$/s.exec(of) ?? []
  return <bdi>{words()}</bdi>

  function words(): string {
    if (kind === 'key' || kind === 'mcp') return t('keyNamed', { name })
    if (kind === 'user') return `${t('kindUser')} ${name}`
    if (kind === 'operator') return t('operator')
    return kind === 'system' ? 'Parley' : of
  }
}
