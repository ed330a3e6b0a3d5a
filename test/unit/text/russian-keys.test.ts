import { beforeAll, describe, expect, it } from 'vitest'
import { KnownMessage } from '../../../src/chat/known-message'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { inRussian } from '../../../src/text/russian-keys'

describe('Russian in Latin letters', () => {
  beforeAll(() => loadThesaurus())

  it.each([
    ['rfr elfkbnm ,fpe pyfybq wtkbrjv', 'как удалить базу знаний целиком'],
    ['Crjkmrj cnjbn ljcnfdrf?', 'сколько стоит доставка?'],
    ['gfhjkm yt gjl[jlbn', 'пароль не подходит'],
    ['rfr cltkfnm pdf', 'как сделать pdf'],
    ['ghbdtn', 'привет'],
    ['kak sozdat bazu znaniy', 'как создать базу знаний'],
    ['skolko stoit dostavka?', 'сколько стоит доставка?'],
    ['u menya ne rabotaet prilozhenie', 'у меня не работает приложение'],
    ['kogda vkluchat otoplenie', 'когда включат отопление'],
  ])('is read: %s', (message, meant) => {
    expect(inRussian(message)).toBe(meant)
  })

  it.each([
    'how do i get my tv ssl cert',
    'html pdf vs txt',
    'Xyzzy 4711?',
    'nginx http vps',
    'the sms pdf',
    'kako da platim racun',
    'gde je racun',
    'kde je obchod',
    'jak usunac konto',
    'je ne sais pas chto',
    'как удалить базу',
    'krk kntrl dstrbtn mgr',
  ])('is not seen in %s', (message) => {
    expect(inRussian(message)).toBeNull()
  })

  it('is what the turn is about, in Russian', () => {
    const known = new KnownMessage('skolko stoit dostavka', [], 'en').readLetters()
    expect(known.about.message).toBe('сколько стоит доставка')
    expect(known.talkLang).toBe('ru')
    expect(new KnownMessage('ghbdtn', [], 'en').readLetters().smallTalk).toBe(true)
  })
})
