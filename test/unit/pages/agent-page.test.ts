import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/config/names'
import {
  type AgentPageInput,
  renderAgentPage,
  renderNotFoundPage,
} from '../../../src/pages/agent-page'
import { PAGE_ASSETS } from '../../../src/pages/assets.gen'
import type { PageAssets } from '../../../src/pages/types'

const assets: PageAssets = {
  script: '/assets/chat-A.js',
  modules: ['/assets/chunk-B.js'],
  worker: '/assets/worker-F.js',
  chunks: ['/assets/form-G.js'],
  frame: ['/assets/frame-H.js'],
  style: '/assets/chat-D.css',
  icon: '/assets/icon-E.svg',
  locales: Object.fromEntries(
    LANGUAGES.map((lang) => [lang, `/assets/locale-${lang}.json`]),
  ) as PageAssets['locales'],
}
const nonce = 'abcdefghijklmnopqrstuv'

const agent = {
  id: 'a1',
  name: 'front-desk',
  words: { name: 'Front desk', greeting: 'Hi', menu: [] },
  translations: {},
}

function page(change: Partial<AgentPageInput> = {}) {
  return renderAgentPage({
    origin: 'https://app.example',
    home: '/a/acme/front-desk',
    nonce,
    lang: 'en',
    langExplicit: false,
    tenant: { id: 't1', name: 'Acme', logoUrl: null, accent: null },
    agent: { ...agent, description: null },
    indexable: false,
    features: {
      feedback: true,
      history: false,
      signIn: true,
      sources: true,
      handOff: false,
      speech: false,
      hears: false,
      opening: false,
    },
    app: { install: 'off', favicon: null, touchIcon: null },
    frame: null,
    assets,
    ...change,
  })
}

function bootstrap(html: string): unknown {
  return JSON.parse(/id="bootstrap">([^<]*)<\/script>/.exec(html)?.[1] ?? 'null')
}

describe('renderAgentPage', () => {
  it('names the page for people, search engines and link previews', () => {
    const { html, status, headers } = page()
    expect(status).toBe(200)
    expect(html).toContain('<title>Front desk · Acme</title>')
    expect(html).toContain('<link rel="canonical" href="https://app.example/a/acme/front-desk">')
    expect(html).toContain('<meta property="og:title" content="Front desk · Acme">')
    expect(html).toContain('<meta name="description" content="Ask Front desk by Acme.')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(headers['X-Robots-Tag']).toBe('noindex')
  })

  it('is open to search engines only when asked', () => {
    const { html, headers } = page({ indexable: true })
    expect(html).not.toContain('noindex')
    expect(headers['X-Robots-Tag']).toBeUndefined()
  })

  it('escapes what tenants write, everywhere', () => {
    const evil = `</script><img src=x onerror="alert(1)">'`
    const evilWords = { name: evil, greeting: evil, menu: [{ label: evil, prompt: evil }] }
    const { html } = page({
      home: '/a/"><b>/x',
      tenant: { id: 't1', name: evil, logoUrl: null, accent: null },
      agent: {
        id: 'a1',
        name: evil,
        description: evil,
        words: evilWords,
        translations: { fr: evilWords },
      },
    })
    expect(html).not.toContain('<img')
    expect(html).not.toContain('<b>')
    expect(html.match(/<script/g)).toHaveLength(3)
    expect(bootstrap(html)).toMatchObject({
      agent: { name: evil, words: evilWords, translations: { fr: evilWords } },
    })
  })

  it('runs only what carries the nonce', () => {
    const { html, headers } = page({
      tenant: { id: 't', name: 'A', logoUrl: null, accent: '#aa0000' },
    })
    const policy = headers['Content-Security-Policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src 'nonce-${nonce}';`)
    expect(policy).toContain(`style-src 'nonce-${nonce}';`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain('trusted-types parley-worker')
    expect(policy).toContain("worker-src 'self'")
    expect(policy).not.toContain('unsafe')
    for (const tag of html.match(/<(script|style|link rel="(stylesheet|modulepreload)")[^>]*>/g) ??
      []) {
      if (!tag.includes('application/json')) expect(tag).toContain(`nonce="${nonce}"`)
    }
    expect(html).not.toMatch(/\son\w+=/)
    expect(html).not.toMatch(/\sstyle=/)
  })

  it.each(['short', "x' 'unsafe-inline", 'aaaaaaaaaaaaaaaa; script-src *'])(
    'refuses the nonce %s',
    (bad) => {
      expect(() => page({ nonce: bad })).toThrow(RangeError)
    },
  )

  it('sets language and direction, and preloads only the active language', () => {
    const { html, headers } = page({ lang: 'ar' })
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(headers['Content-Language']).toBe('ar')
    expect(html).toContain(
      '<link rel="preload" as="fetch" href="/assets/locale-ar.json" crossorigin>',
    )
    expect(html.match(/rel="preload"/g)).toHaveLength(1)
  })

  it('hands nothing to the page that visitors must not see', () => {
    expect(bootstrap(page().html)).toEqual({
      tenant: { id: 't1', name: 'Acme', logoUrl: null },
      agent,
      lang: 'en',
      langExplicit: false,
      locales: assets.locales,
      features: {
        feedback: true,
        history: false,
        signIn: true,
        sources: true,
        handOff: false,
        speech: false,
        hears: false,
        opening: false,
      },
      app: {
        install: 'off',
        home: '/a/acme/front-desk',
        worker: '/a/acme/front-desk/sw.js',
        version: 'A.D.F.G',
      },
      framed: false,
    })
  })

  it('speaks of the agent in the language of the page where the tenant wrote it', () => {
    const fr = { name: 'Accueil', greeting: 'Bonjour', menu: [] }
    const shown = (lang: 'fr' | 'es') => {
      const { html } = page({ lang, agent: { ...agent, description: null, translations: { fr } } })
      return [
        /<title>(.*)<\/title>/.exec(html)?.[1],
        /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1],
        /shell-greeting[^>]*>(.*?)</.exec(html)?.[1],
      ]
    }
    expect(shown('fr')).toEqual(['Accueil · Acme', 'Accueil', 'Bonjour'])
    expect(shown('es')).toEqual(['Front desk · Acme', 'Front desk', 'Hi'])
  })

  it('cuts a long description at 200 characters without splitting one', () => {
    const { html } = page({
      agent: { ...agent, description: '😀'.repeat(300) },
    })
    const description = /name="description" content="([^"]*)"/.exec(html)?.[1] ?? ''
    expect([...description]).toHaveLength(200)
    expect(description.endsWith('😀…')).toBe(true)
  })
})

describe('the page in a frame of another site', () => {
  const frame = { ancestors: 'https://shop.example', theme: 'dark' as const }

  it('says who may show it, and is no app of its own (#14.1)', () => {
    const { html, headers } = page({ frame })
    const policy = headers['Content-Security-Policy'] ?? ''
    expect(policy).toContain('frame-ancestors https://shop.example;')
    expect(policy).not.toContain('worker-src')
    expect(policy).toContain("trusted-types 'none'")
    expect(html).not.toContain('rel="manifest"')
    expect(html).toContain('<html lang="en" dir="ltr" data-theme="dark">')
    expect(html).toContain(
      'rel="modulepreload" nonce="abcdefghijklmnopqrstuv" href="/assets/frame-H.js"',
    )
    expect(bootstrap(html)).toMatchObject({ framed: true })
  })

  it('is for no frame anywhere else (#14.1)', () => {
    expect(page().headers['Content-Security-Policy']).toContain("frame-ancestors 'none'")
    const missing = renderNotFoundPage({ nonce, lang: 'en', assets })
    expect(missing.headers['Content-Security-Policy']).toContain("frame-ancestors 'none'")
  })
})

describe('renderNotFoundPage', () => {
  it.each(LANGUAGES)('answers every unknown address alike in %s', (lang) => {
    const { status, html, headers } = renderNotFoundPage({ nonce, lang, assets })
    expect(status).toBe(404)
    expect(html).toContain(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(html).toContain('noindex')
    expect(headers['Content-Security-Policy']).toContain("default-src 'none'")
  })
})

/** A browser brings six files at once over HTTP/1.1, and each further one waits for another to come. */
it('a frame starts with four files: style, language, and two scripts (#14.1)', () => {
  const frame = { ancestors: '*', theme: null }
  const { html } = page({ frame, assets: PAGE_ASSETS })
  const files = [
    ...html.matchAll(/<(?:link rel="(?:stylesheet|preload|modulepreload)"|script)[^>]*/g),
  ]
    .flatMap(([tag]) => /(?:href|src)="([^"]+)"/.exec(tag)?.[1] ?? [])
    .sort()
  const { style, locales, script } = PAGE_ASSETS
  expect(files).toEqual([style, locales.en, script, ...PAGE_ASSETS.frame].sort())
  expect(files.length).toBe(4)
})
