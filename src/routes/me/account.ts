import { deleteMe } from '../../deletion/delete-me'
import { defineRoute } from '../../http/route'
import { DeleteMeIn, OwnPasswordIn } from '../../users/account-fields'
import { changeOwnPassword, signOutEverywhere } from '../../users/own-account'
import { TokenOut } from '../../users/schema'

const tag = 'Me: account'

export const meAccountRoutes = [
  defineRoute({
    method: 'POST',
    path: '/me/password',
    also: ['/v1/me/password'],
    layer: 'user',
    tag,
    summary: 'Set a new password by the present one; every other token ends',
    json: OwnPasswordIn,
    answers: { 200: TokenOut },
    errors: [404],
    handler: async (c) => c.json(await changeOwnPassword(c.get('user'), c.req.valid('json'))),
  }),
  defineRoute({
    method: 'POST',
    path: '/me/sign-out-everywhere',
    also: ['/v1/me/sign-out-everywhere'],
    layer: 'user',
    tag,
    summary: 'End every token; the answer holds a new one for this device',
    answers: { 200: TokenOut },
    errors: [404],
    handler: async (c) => c.json(await signOutEverywhere(c.get('user'))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me',
    also: ['/v1/me'],
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
