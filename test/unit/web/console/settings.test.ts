import { describe, expect, it } from 'vitest'
import {
  readOnboarding,
  writeOnboarding,
} from '../../../../src/web/console/settings/general/onboarding'
import {
  findWrong,
  type General,
  readGeneral,
  readOrigins,
  writeGeneral,
} from '../../../../src/web/console/settings/general/profile'
import {
  readSmtp,
  withStartTls,
  writeSmtp,
} from '../../../../src/web/console/settings/sign-in/mail-server'
import type { Settings } from '../../../../src/web/console/settings/types'

const settings = (profile: Record<string, unknown>) =>
  ({ name: 'Acme', alias: null, profile }) as Settings

describe('the profile', () => {
  const change = (profile: Record<string, unknown>, changed: Partial<General>, now = profile) =>
    writeGeneral(changed, { ...readGeneral(settings(profile)), ...changed }, now)

  it('of whatever is stored becomes fields, and what is no text none', () => {
    const general = readGeneral(
      settings({ company: 'Acme', accent: 7, languages: 'fr', widget_origins: [1], segment: 'x' }),
    )
    expect(general).toMatchObject({ company: 'Acme', accent: '', languages: ['fr'], alias: '' })
    expect(general).toMatchObject({ any_site: false, widget_origins: '' })
    expect(JSON.parse(general.other)).toEqual({ segment: 'x' })
  })

  it('sends only what changed, and the profile not at all where none of it did', () => {
    expect(change({ company: 'Acme' }, { name: 'New', alias: '' })).toEqual({
      name: 'New',
      alias: null,
    })
  })

  it('keeps what somebody else stored meanwhile, and fields of the tenant’s own', () => {
    const now = { company: 'Theirs', segment: 'x' }
    expect(change({ company: 'Acme' }, { website: ' acme.example ' }, now)).toEqual({
      profile: { website: 'acme.example' },
    })
  })

  it('drops a field that was emptied', () => {
    const stored = { company: 'Acme', languages: ['fr'], public_pages: true }
    const changed = { company: '', languages: [], public_pages: false }
    expect(change(stored, changed)).toEqual({
      profile: { company: null, languages: null, public_pages: null },
    })
  })

  it('tells no site from any site', () => {
    const stored = { widget_origins: ['https://a.example'] }
    expect(change(stored, { any_site: true })).toEqual({ profile: { widget_origins: null } })
    expect(change({}, { any_site: false })).toEqual({ profile: { widget_origins: [] } })
    expect(change({}, { any_site: false, widget_origins: 'https://A.example/' })).toEqual({
      profile: { widget_origins: ['https://a.example'] },
    })
    expect(readOrigins(' https://a.example, https://b.example\nhttps://a.example ')).toHaveLength(2)
  })

  it('replaces the fields of the tenant’s own as they were written, and none of ours', () => {
    const stored = { company: 'Acme', segment: 'x' }
    expect(change(stored, { other: '{"plan": 2, "company": "Evil"}' })).toEqual({
      profile: { plan: 2, segment: null },
    })
    expect(change(stored, { other: '' })).toEqual({ profile: { segment: null } })
  })

  it('is refused where no page could use it', () => {
    const fine = readGeneral(settings({ accent: '#0B6B5D', website: 'acme.example' }))
    expect(findWrong(fine)).toEqual({})
    const wrong = {
      accent: 'green',
      website: 'acme',
      contact_email: 'nobody',
      any_site: false,
      widget_origins: 'acme.example',
      other: '[1]',
    }
    expect(findWrong({ ...fine, ...wrong })).toEqual({
      accent: 'badColour',
      website: 'badWeb',
      contact_email: 'badEmail',
      widget_origins: 'badOrigin',
      other: 'badJson',
    })
  })
})

describe('what new people are told', () => {
  it.each([
    [{ welcome: 'Hi', required_fields: ['city'], consent_text: null }],
    [{ welcome: null, required_fields: [], consent_text: { en: 'Yes', fr: 'Oui' } }],
  ])('comes back as it was stored', (config) => {
    expect(writeOnboarding(readOnboarding(config))).toEqual(config)
  })

  it('is nothing where all of it is empty', () => {
    const empty = { welcome: ' ', consent_text: { en: '' }, required_fields: [] }
    expect(writeOnboarding(readOnboarding(empty))).toBeNull()
    expect(writeOnboarding(readOnboarding(null))).toBeNull()
  })
})

describe('the mail server', () => {
  const stored = readSmtp({
    host: 'smtp.example',
    port: 587,
    user: 'u',
    from_addr: 'a@b.example',
    starttls: true,
    has_password: true,
  })

  it('keeps its password unless one is typed or it is taken away', () => {
    expect(writeSmtp(stored)).not.toHaveProperty('password')
    expect(writeSmtp({ ...stored, password: 'new' })).toMatchObject({ password: 'new' })
    expect(writeSmtp({ ...stored, no_password: true })).toMatchObject({ password: '' })
    expect(writeSmtp(stored)).not.toHaveProperty('no_password')
  })

  it('takes the usual port of its encryption, and leaves another one alone', () => {
    expect(withStartTls(stored, false)).toMatchObject({ port: 465, starttls: false })
    expect(withStartTls({ ...stored, port: 2525 }, false).port).toBe(2525)
  })
})
