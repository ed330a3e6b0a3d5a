import { describe, expect, it } from 'vitest'
import { judged } from '../../support/judged'

const OPTIONS = `Option: key | Type: string | Default value: none | Description: Names the archive. Optional Vault config.
Option: store | Type: Vault | Default value: memory | Description: Keeps the pages.
Option: or(...parts) | Type: list | Default value: all | Description: At least one part must match.
Option: not(part) | Type: part | Default value: none | Description: Turns a part round.
Option: keyring | Type: number | Default value: 7 | Description: Counts the names of keys.`

describe('a row of a written table', () => {
  it.each([
    'For key, the type is string.',
    'For store, the default value is memory.',
    'The type of store is Vault, and its default value is memory.',
    'For or(...parts), the description is At least one part must match.',
    'The key option (type: string) names the archive.',
  ])('says %s', (claim) => {
    expect(judged(OPTIONS, claim)).toBe('stands')
  })

  it.each([
    'For key, the type is Vault.',
    'For store, the default value is none.',
    'For or(...parts), the description is Turns a part round.',
    'For keyring, the description is Names the archive.',
  ])('does not say what another row says: %s', (claim) => {
    expect(judged(OPTIONS, claim)).toBe('falls')
  })
})

describe('a Japanese table of names without kana', () => {
  const table = `部屋: 大広間 | 定員: 12 | 時間: 34 | 係: 田中
部屋: 窓 | 定員: 77 | 時間: 88 | 係: 鈴木`

  it.each([
    '「窓」の部屋では、定員は77、時間は88です。',
    '大広間の部屋では、定員は12、係は田中です。',
  ])('is read in the reply’s language: %s', (claim) => {
    expect(judged(table, claim)).toBe('stands')
  })

  it('tells its rows apart', () => {
    expect(judged(table, '「窓」の部屋では、定員は12、時間は34です。')).toBe('falls')
  })
})

describe('a list under its lead-in', () => {
  it.each([
    [
      'El coro ensaya:\n- canciones antiguas\n- un himno solemne\n\nLa orquesta ensaya:\n- una marcha\n- danzas lentas',
      'El coro ensaya canciones antiguas.',
      'La orquesta ensaya canciones antiguas.',
    ],
    [
      'Старший хор поёт:\n- народные песни\n- гимн города\n\nМладший хор поёт:\n- колыбельную песню\n- весёлый марш',
      'Младший хор поёт колыбельную песню.',
      'Старший хор поёт колыбельную песню.',
    ],
    [
      'Le chœur répète :\n- des chants anciens\n- un hymne solennel\n\nL’orchestre répète :\n- une marche\n- des danses lentes',
      'Le chœur répète des chants anciens.',
      'L’orchestre répète des chants anciens.',
    ],
  ])('does not say another list’s item: %#', (text, own, moved) => {
    expect(judged(text, own)).toBe('stands')
    expect(judged(text, moved)).not.toBe('stands')
  })
})
