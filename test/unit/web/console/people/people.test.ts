import { describe, expect, it } from 'vitest'
import { joinMessages, refreshMessages } from '../../../../../src/web/console/spaces/join-messages'
import {
  channelWord,
  nameOf,
  signInWord,
  typedName,
} from '../../../../../src/web/console/users/names'
import { spanOf } from '../../../../../src/web/console/users/spans'

const user = { pref_name: null, email: null, external_user_id: 'ext-7' }

describe('a user', () => {
  it('is called by the best name that is known', () => {
    expect(nameOf(user)).toBe('ext-7')
    expect(nameOf({ ...user, email: 'a@b.example' })).toBe('a@b.example')
    expect(nameOf({ ...user, email: 'a@b.example', pref_name: 'Ada' })).toBe('Ada')
    expect(nameOf({ ...user, pref_name: '' })).toBe('ext-7')
  })

  it('is typed as the name is shown, whatever blanks it has', () => {
    expect(typedName({ ...user, pref_name: ' Ada\u00a0 Lovelace ' })).toBe('Ada Lovelace')
  })

  it('signs in by a way that has a word, or is shown as it is called', () => {
    expect(signInWord('email')).toBe('signIn_email')
    expect(signInWord('saml')).toBeNull()
    expect(channelWord('web')).toBe('channel_web')
    expect(channelWord('pager')).toBeNull()
  })
})

describe('a conversation', () => {
  const of = (...ids: string[]) => ids.map((id) => ({ id }))

  it('takes earlier messages in front, none twice', () => {
    expect(joinMessages(of('a', 'b'), of('b', 'c'))).toEqual(of('a', 'b', 'c'))
  })

  it('is read again from where the latest page begins', () => {
    expect(refreshMessages(of('a', 'b', 'c'), of('b', 'd'))).toEqual(of('a', 'b', 'd'))
    expect(refreshMessages(of('a', 'b'), of('x', 'y'))).toEqual(of('x', 'y'))
    expect(refreshMessages(of('a'), [])).toEqual(of('a'))
  })
})

describe('usage', () => {
  it('is asked for by the hour or by the day', () => {
    expect(spanOf('24h')).toEqual({ hours: 24 })
    expect(spanOf('90d')).toEqual({ days: 90 })
  })
})
