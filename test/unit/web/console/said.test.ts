import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/config/names'
import { createApi } from '../../../../src/web/console/api/create-api'
import { GROUPS, readAs, translateSaid } from '../../../../src/web/console/said/said'
import { say } from '../../../../src/web/console/said/say'

const TRANSLATED = LANGUAGES.filter((lang) => lang !== 'en')
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
/** What stands between two quotes of a kind in the API's sources, with anything where it puts something in. */
const QUOTED = /(?=(['"`])((?:\\.|(?!\1).)*)\1)/g
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
/** Its own, and of what checks the shape and the expressions of a storyline. */
const SOURCES = [
  'src/**/*.ts',
  'node_modules/@cfworker/json-schema/dist/esm/validate.js',
  'node_modules/@marcbachmann/cel-js/lib/*.js',
]
const quoted = globSync(SOURCES, { exclude: (path) => `${path}`.startsWith('src/web') })
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(QUOTED)])
  .map((found) => found[2] ?? '')
  .filter((text) => /[a-z] [a-z]/i.test(text) && text.length < 400)
const forms = [...new Set(quoted)].map((text) => {
  const parts = text.split(/\$\{[^}]*\}/)
  return {
    example: parts.join('7'),
    form: new RegExp(`^${parts.map(escaped).join('.+')}$`, 's'),
  }
})

it.each(GROUPS.flatMap(({ english }) => Object.values(english)))('the API says “%s”', (pattern) => {
  const text = pattern.replace(/\{\w+\}/g, '7 7')
  const isSaid =
    forms.some(({ form }) => form.test(text)) ||
    forms.some(({ example }) => readAs(pattern, example) !== null)
  expect(isSaid).toBe(true)
})

it.each(TRANSLATED)(
  '%s has a text for each, with nothing to fill in that the API does not give',
  async (lang) => {
    for (const { english, words } of GROUPS) {
      const messages = (await words[lang]()).default as Record<string, string>
      expect(Object.keys(messages)).toEqual(Object.keys(english))
      for (const [key, text] of Object.entries(messages)) {
        expect([key, text]).not.toEqual([key, english[key]])
        const given = namesIn(english[key] ?? '')
        expect([key, namesIn(text).filter((name) => !given.includes(name))]).toEqual([key, []])
      }
    }
  },
)

it('no text is taken for another one that stands before it', () => {
  const all = GROUPS.flatMap(({ english }) => Object.entries(english))
  for (const [key, pattern] of all) {
    const text = pattern.replace(/\{\w+\}/g, '7')
    expect([key, all.find(([, other]) => readAs(other, text) !== null)?.[0]]).toEqual([key, key])
  }
})

it('what the API refuses is said in the reader’s language, with the reader’s numbers', async () => {
  const answers = [
    { detail: [{ loc: ['body', 'task'], msg: 'String should have at most 20000 characters' }] },
    { detail: [{ loc: ['body', 'alias'], msg: 'Value error, this word is reserved' }] },
    { detail: 'Agent already exists', code: 'x' },
    { detail: 'Nobody has thought of this' },
  ]
  const real = globalThis.fetch
  globalThis.fetch = async () => Response.json(answers.shift(), { status: 422 })
  try {
    const russian = createApi({ key: 'pk_1', lang: 'ru', onRefusedKey: () => undefined })
    await expect(russian.get('/v1/agents')).rejects.toMatchObject({
      detail: 'task: Слишком длинно: символов не больше 20 000.',
      fields: [{ path: 'task', message: 'Слишком длинно: символов не больше 20 000.' }],
    })
    await expect(russian.get('/v1/agents')).rejects.toMatchObject({
      fields: [{ message: 'Это слово зарезервировано.' }],
    })
    await expect(russian.get('/v1/agents')).rejects.toMatchObject({
      detail: 'Такое название уже есть.',
      code: 'x',
    })
    await expect(russian.get('/v1/agents')).rejects.toMatchObject({
      detail: 'Nobody has thought of this',
    })
  } finally {
    globalThis.fetch = real
  }
})

it('in English it stays as the API says it, and a name in an Arabic text keeps its own direction', async () => {
  expect(await say('en', 'The file is empty.')).toBeNull()
  expect(await translateSaid('ar', 'there is no node form')).toBe('لا توجد خطوة \u2068form\u2069')
})
