import { describe, expect, it } from 'vitest'
import { romanise, soundsLike } from '../../../src/text/transliterate'

describe('a name in other letters', () => {
  it.each([
    ['телеграм', 'telegram'],
    ['ватсап', 'whatsapp'],
    ['эксель', 'excel'],
    ['гитхаб', 'github'],
    ['гугл', 'google'],
    ['вордпресс', 'wordpress'],
    ['تلغرام', 'telegram'],
    ['فيسبوك', 'facebook'],
    ['ويندوز', 'windows'],
  ])('%s is heard as %s', (word, latin) => {
    expect(soundsLike(word)?.(latin)).toBe(true)
  })

  it.each([
    ['телеграм', 'telephone'],
    ['слак', 'skype'],
    ['ватсап', 'facebook'],
    ['سلاك', 'skype'],
  ])('%s is not heard as %s', (word, latin) => {
    expect(soundsLike(word)?.(latin)).toBe(false)
  })

  it('is told of Cyrillic and Arabic words of three consonants only', () => {
    expect(soundsLike('зум')).toBeNull()
    expect(soundsLike('telegram')).toBeNull()
    expect(soundsLike('电报')).toBeNull()
    expect(romanise('телеграм')).toBe('telegram')
    expect(romanise('telegram')).toBeNull()
  })
})
