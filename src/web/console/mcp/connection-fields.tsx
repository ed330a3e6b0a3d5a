import { SelectField, TextField } from '../parts'
import type { Transport } from './server'
import { useMcpWords } from './words'

export interface Connection {
  name: string
  transport: Transport
  url: string
}

interface ConnectionFieldsProps {
  draft: Connection
  set: <K extends keyof Connection>(name: K, value: Connection[K]) => void
  error: (path: string) => string | null
}

/** What a server is called and where it is. */
export function ConnectionFields({ draft, set, error }: ConnectionFieldsProps) {
  const t = useMcpWords()
  return (
    <>
      <TextField
        label={t('serverName')}
        hint={t('serverNameHint')}
        value={draft.name}
        maxLength={64}
        error={error('name')}
        onInput={(text) => set('name', text)}
      />
      <TextField
        label={t('address')}
        hint={t('addressHint')}
        type="url"
        value={draft.url}
        maxLength={2048}
        placeholder="https://tools.example.com/mcp"
        error={error('config.url')}
        onInput={(text) => set('url', text)}
      />
      <SelectField
        label={t('transport')}
        hint={t('transportHint')}
        value={draft.transport}
        error={error('transport')}
        options={[
          { value: 'streamable_http', label: t('streamableHttp') },
          { value: 'sse', label: t('sse') },
        ]}
        onChange={(transport) => set('transport', transport)}
      />
    </>
  )
}
