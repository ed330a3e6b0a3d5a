import * as z from 'zod'
import { PAGES } from '../../config/limits'
import type { UserContext } from '../../context'
import { invalid } from '../../errors'
import { defineRoute } from '../../http/route'
import { sendJobs } from '../../platform/queue'
import { presentAttachment, presentMessage, presentMySession } from '../../sessions/present-session'
import { sourceRule } from '../../sessions/source-rule'
import { askSpace } from '../../spaces/ask-space'
import { findSpaceByTag } from '../../spaces/find-space'
import {
  FeedbackIn,
  MessageEditIn,
  MyAttachmentOut,
  MyMessageOut,
  MySessionOut,
  SessionTitleIn,
} from '../../spaces/schema'
import { queryInt, uuidParam } from '../../wire/fields'

const tag = 'Me: sessions'
const params = z.object({ sid: uuidParam })
const messageParams = params.extend({ mid: uuidParam })

export const meSessionRoutes = [
  defineRoute({
    method: 'PATCH',
    path: '/me/sessions/{sid}',
    layer: 'user',
    tag,
    summary: 'Give a session a title of one’s own',
    params,
    json: SessionTitleIn,
    answers: { 200: MySessionOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid } = c.req.valid('param')
      const { title } = c.req.valid('json')
      const space = await findSpaceByTag(ctx, sid, 'Session')
      const view = await askSpace(ctx, space, 'sessions', 'rename', sid, title)
      return c.json(presentMySession(view, space.id))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me/sessions/{sid}',
    layer: 'user',
    tag,
    summary: 'Delete a session with its messages and attachments',
    params,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid } = c.req.valid('param')
      const space = await findSpaceByTag(ctx, sid, 'Session')
      const files = await askSpace(ctx, space, 'sessions', 'remove', sid)
      await dropFiles(ctx, files)
      await recount(ctx, space.id)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/sessions/{sid}/read',
    layer: 'user',
    tag,
    summary: 'Everything so far is read',
    params,
    answers: { 200: MySessionOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid } = c.req.valid('param')
      const space = await findSpaceByTag(ctx, sid, 'Session')
      const view = await askSpace(ctx, space, 'sessions', 'markRead', sid)
      return c.json(presentMySession(view, space.id))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/me/sessions/{sid}/messages',
    layer: 'user',
    tag,
    summary: 'The latest messages in chronological order; `before` pages back',
    params,
    query: z.object({
      limit: queryInt({ min: 1, max: PAGES.messages.max }).default(PAGES.messages.default),
      before: uuidParam.optional(),
    }),
    answers: { 200: z.array(MyMessageOut) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid } = c.req.valid('param')
      const { limit, before = null } = c.req.valid('query')
      const space = await findSpaceByTag(ctx, sid, 'Session')
      const [views, shows] = await Promise.all([
        askSpace(ctx, space, 'messages', 'list', sid, limit, before),
        sourceRule(ctx),
      ])
      return c.json(views.map((view) => presentMessage(view, shows)))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/me/sessions/{sid}/messages/{mid}',
    layer: 'user',
    tag,
    summary: 'Change the words of a message, or go back to another of its variants',
    params: messageParams,
    json: MessageEditIn,
    answers: { 200: MyMessageOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid, mid } = c.req.valid('param')
      const { content, active } = c.req.valid('json')
      if ((content === undefined) === (active === undefined))
        throw invalid(['body', 'content'], 'either this or `active` is needed')
      const space = await findSpaceByTag(ctx, sid, 'Session')
      const view =
        active === undefined
          ? await askSpace(ctx, space, 'messages', 'edit', sid, mid, content ?? '')
          : await askSpace(ctx, space, 'messages', 'choose', sid, mid, active)
      return c.json(presentMessage(view, await sourceRule(ctx)))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me/sessions/{sid}/messages/{mid}',
    layer: 'user',
    tag,
    summary: 'Take one message out of the conversation',
    params: messageParams,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid, mid } = c.req.valid('param')
      const space = await findSpaceByTag(ctx, sid, 'Session')
      const files = await askSpace(ctx, space, 'messages', 'remove', sid, mid)
      await dropFiles(ctx, files)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/sessions/{sid}/messages/{mid}/branch',
    layer: 'user',
    tag,
    summary: 'A new session up to this message; a user’s own comes back as `prefill`',
    params: messageParams,
    answers: { 201: MySessionOut },
    errors: [404],
    rate: 'branches',
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid, mid } = c.req.valid('param')
      const space = await findSpaceByTag(ctx, sid, 'Session')
      const view = await askSpace(ctx, space, 'sessions', 'branch', sid, mid)
      await recount(ctx, space.id)
      return c.json(presentMySession(view, space.id), 201)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/me/sessions/{sid}/attachments',
    layer: 'user',
    tag,
    summary: 'Images of a session',
    params,
    answers: { 200: z.array(MyAttachmentOut) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid } = c.req.valid('param')
      const space = await findSpaceByTag(ctx, sid, 'Session')
      const views = await askSpace(ctx, space, 'sessions', 'listImages', sid)
      return c.json(views.map(presentAttachment))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/me/attachments/{aid}',
    layer: 'user',
    tag,
    summary: 'The decrypted original',
    params: z.object({ aid: uuidParam }),
    answers: { 200: { media: 'image/*' } },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const { aid } = c.req.valid('param')
      const space = await findSpaceByTag(ctx, aid, 'Attachment')
      const file = await askSpace(ctx, space, 'sessions', 'readImage', aid)
      return c.body(new Uint8Array(file.bytes), 200, {
        'Content-Type': file.mime,
        'Cache-Control': 'private, no-store',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Content-Disposition': `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/messages/{message_id}/feedback',
    also: ['/me/messages/{message_id}/feedback', '/v1/me/messages/{message_id}/feedback'],
    layer: 'user',
    tag,
    summary: 'Thumbs up or down for an answer, with reasons and a comment; null takes it back',
    params: z.object({ message_id: uuidParam }),
    json: FeedbackIn,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { message_id } = c.req.valid('param')
      const { value, comment = null, reasons } = c.req.valid('json')
      const space = await findSpaceByTag(ctx, message_id, 'Message')
      await askSpace(
        ctx,
        space,
        'messages',
        'setFeedback',
        message_id,
        value === null ? null : { value, comment, reasons: [...new Set(reasons)] },
      )
      return c.body(null, 204)
    },
  }),
]

/** Bytes of what was deleted; the rows are gone already, so a lost job leaves only sealed bytes without a key. */
async function dropFiles(ctx: UserContext, files: string[]): Promise<void> {
  if (files.length > 0)
    await sendJobs(ctx.env, [{ type: 'files.delete', tenantId: ctx.tenant.id, keys: files }])
}

/** The lists of users show how many sessions there are. */
const recount = (ctx: UserContext, spaceId: string) =>
  sendJobs(ctx.env, [
    { type: 'space.count', tenantId: ctx.tenant.id, userId: ctx.user.id, spaceId },
  ])
