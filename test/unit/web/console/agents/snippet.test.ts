import { describe, expect, it } from 'vitest'
import {
  frameAddress,
  SNIPPET_DEFAULTS,
  writePolicy,
  writeSnippet,
} from '../../../../../src/web/console/agents/share/snippet'

const PLACE = { origin: 'https://app.example', tenant: 't1', agent: 'front "desk"' }

describe('the snippet of the widget', () => {
  it('says whose chat it is, and nothing that is usual', () => {
    expect(writeSnippet(PLACE, SNIPPET_DEFAULTS)).toBe(
      '<script\n  src="https://app.example/widget.js"\n  data-tenant="t1"\n  data-agent="front &quot;desk&quot;"\n  defer\n></script>',
    )
  })

  it('names every choice that is not', () => {
    const snippet = writeSnippet(PLACE, {
      lang: 'ar',
      theme: 'dark',
      accent: '#102030',
      position: 'start',
      offsetX: 8,
      offsetY: 0,
      zIndex: 5,
      launcher: 'label',
      label: 'Ask <us> & more',
      open: 'once',
      greeting: 'off',
      target: '#chat',
      nonce: 'n0',
    })
    const lines = snippet.split('\n').map((line) => line.trim())
    expect(lines.slice(4, -2)).toEqual([
      'data-lang="ar"',
      'data-theme="dark"',
      'data-accent="#102030"',
      'data-position="start"',
      'data-offset-x="8"',
      'data-offset-y="0"',
      'data-z-index="5"',
      'data-launcher="label"',
      'data-label="Ask &lt;us> &amp; more"',
      'data-open="once"',
      'data-greeting="off"',
      'data-target="#chat"',
      'data-nonce="n0"',
    ])
  })

  it('opens the frame that the script itself would open', () => {
    const place = { tenant: 't1', agent: 'a b', host: 'https://app.example', hostKey: 'host' }
    expect(frameAddress(place, SNIPPET_DEFAULTS)).toBe(
      '/widget/t1/a%20b#host=https%3A%2F%2Fapp.example',
    )
    expect(
      frameAddress(place, { ...SNIPPET_DEFAULTS, lang: 'fr', accent: '#102030', greeting: 'off' }),
    ).toBe('/widget/t1/a%20b?lang=fr&accent=102030&greeting=off#host=https%3A%2F%2Fapp.example')
    expect(frameAddress(place, { ...SNIPPET_DEFAULTS, accent: 'red' })).not.toContain('accent')
  })

  it('tells what a careful site has to allow', () => {
    expect(writePolicy('https://app.example')).toBe(
      'script-src https://app.example; frame-src https://app.example',
    )
  })
})
