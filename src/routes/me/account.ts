import * as z from 'zod'
import { deleteMe } from '../../deletion/delete-me'
import { ExportOut, getExport, presentExport, readExport, startExport } from '../../exports/exports'
import { defineRoute } from '../../http/route'
import { Accepted, DeleteMeIn, OwnEmailIn, OwnPasswordIn } from '../../users/account-fields'
import { askForEmail } from '../../users/ask-for-email'
import { changeOwnPassword, signOutEverywhere } from '../../users/own-account'
import { TokenOut } from '../../users/schema'
import { uuidParam } from '../../wire/fields'

const tag = 'Me: account'
const exportParams = z.object({ id: uuidParam })

export const meAccountRoutes = [
  defineRoute({
    method: 'POST',
    path: '/me/password',
    layer: 'user',
    tag,
    summary: 'Set a new password by the present one; every other token ends',
    json: OwnPasswordIn,
    answers: { 200: TokenOut },
    errors: [404],
    handler: async (c) => c.json(await changeOwnPassword(c.get('user'), c.req.valid('json'))),
  }),
  // The answer does not depend on whether somebody has the address.
  defineRoute({
    method: 'POST',
    path: '/me/email',
    layer: 'user',
    tag,
    summary: 'Ask for a link to a new address, which replaces the present one when it is opened',
    json: OwnEmailIn,
    answers: { 200: Accepted },
    errors: [404],
    rate: 'ownEmail',
    handler: async (c) => {
      await askForEmail(c.get('user'), c.req.valid('json'))
      return c.json({ status: 'ok' as const })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/sign-out-everywhere',
    layer: 'user',
    tag,
    summary: 'End every token; the answer holds a new one for this device',
    answers: { 200: TokenOut },
    errors: [404],
    handler: async (c) => c.json(await signOutEverywhere(c.get('user'))),
  }),
  // 202: it is made in the background; the stream tells of it, and a mail where the address is confirmed.
  defineRoute({
    method: 'POST',
    path: '/me/exports',
    layer: 'user',
    tag,
    summary: 'Collect all that is kept of the caller in one archive; one at a time, a few a day',
    answers: { 202: ExportOut },
    errors: [404],
    idempotent: true,
    handler: async (c) => c.json(presentExport(await startExport(c.get('user'))), 202),
  }),
  defineRoute({
    method: 'GET',
    path: '/me/exports/{id}',
    layer: 'user',
    tag,
    summary: 'How far an export is; it is kept for seven days',
    params: exportParams,
    answers: { 200: ExportOut },
    errors: [404],
    handler: async (c) =>
      c.json(presentExport(await getExport(c.get('user'), c.req.valid('param').id))),
  }),
  defineRoute({
    method: 'GET',
    path: '/me/exports/{id}/file',
    layer: 'user',
    tag,
    summary: 'The archive: JSON, pictures and documents',
    params: exportParams,
    answers: { 200: { media: 'application/zip' } },
    errors: [404, 409],
    handler: async (c) => {
      const { name, body } = await readExport(c.get('user'), c.req.valid('param').id)
      return c.body(body, 200, {
        'Content-Type': 'application/zip',
        'Cache-Control': 'private, no-store',
        'Content-Disposition': `attachment; filename="${name}"`,
      })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me',
    layer: 'user',
    tag,
    summary: 'Delete the caller with everything that is theirs; `confirm` is the own user id',
    json: DeleteMeIn,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      await deleteMe(c.get('user'), c.req.valid('json'))
      return c.body(null, 204)
    },
  }),
]
