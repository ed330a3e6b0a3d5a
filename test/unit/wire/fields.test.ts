import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { SessionTitleIn, SpaceIn } from '../../../src/spaces/schema'
import { KeyIn, TenantIn } from '../../../src/tenants/schema'
import { MyProfileIn } from '../../../src/users/profile'
import { nameField, shownText } from '../../../src/wire/fields'

const fields: [string, z.ZodType][] = [
  ['a name', z.object({ text: nameField })],
  ['a display name', z.object({ text: shownText(80) })],
  ['a tenant', z.object({ text: TenantIn.shape.name })],
  ['a key', z.object({ text: KeyIn.shape.name })],
  ['a space', z.object({ text: SpaceIn.shape.name })],
  ['a session', z.object({ text: SessionTitleIn.shape.title })],
  ['a person', z.object({ text: MyProfileIn.shape.pref_name })],
]

describe.each(fields)('what %s is called', (_, field) => {
  const takes = (text: string) => field.safeParse({ text }).success

  it.each(['\u200b', '\u200b\u2060\ufeff', '\u3164', '\u2800', 'A\u0000da', '\u0000', 'A\nda'])(
    'can be seen, and holds no control: not %j',
    (text) => {
      expect(takes(text)).toBe(false)
    },
  )

  it.each(['Ada', '木', '👩\u200d🚀', 'می\u200cخواهم', 'Zoe\u0308'])('may be %s', (text) => {
    expect(takes(text)).toBe(true)
  })
})
