import { loadChannel, loadReaders } from '../../lazy'
import {
  type BotFacts,
  type Channel,
  type ChannelAccount,
  ChannelError,
  type Piece,
} from '../channel'
import { BotApi } from './bot-api'
import { readUpdate } from './read-update'

const TOKEN = /^\d{5,20}:[A-Za-z0-9_-]{30,64}$/
const USERNAME = /^[A-Za-z0-9_]{3,64}$/
const NO_PREVIEW = { is_disabled: true }

/** Telegram, by its Bot API with a webhook. */
export const telegram: Channel = {
  name: 'telegram',
  secretHeader: 'x-telegram-bot-api-secret-token',
  isToken: (text) => TOKEN.test(text),
  account: (env, token) => accountOf(new BotApi(env, token)),
  readUpdate,
  deepLink: (username, code) => `https://t.me/${username}${code === null ? '' : `?start=${code}`}`,
  async render(reply) {
    const [{ renderReply }, { readMarkdown }] = await Promise.all([loadChannel(), loadReaders()])
    return renderReply(reply, readMarkdown)
  },
  webhookReply: (chat, text) => ({
    method: 'sendMessage',
    chat_id: Number(chat),
    text,
    link_preview_options: NO_PREVIEW,
  }),
}

function accountOf(api: BotApi): ChannelAccount {
  return {
    async describe(): Promise<BotFacts> {
      const me = (await api.call('getMe')) as Record<string, unknown> | null
      const { id, first_name: name, username } = me ?? {}
      if (!Number.isSafeInteger(id) || typeof username !== 'string' || !USERNAME.test(username)) {
        throw new ChannelError('refused')
      }
      return { id: String(id), name: typeof name === 'string' ? name.slice(0, 128) : '', username }
    },
    async listen(url, secret) {
      await api.call('setWebhook', {
        url,
        secret_token: secret,
        allowed_updates: ['message', 'my_chat_member'],
      })
    },
    async unlisten() {
      await api.call('deleteWebhook')
    },
    async showTyping(chat) {
      await api.call('sendChatAction', { chat_id: Number(chat), action: 'typing' })
    },
    async fetchFile(ref, maxBytes) {
      if (ref.size !== null && ref.size > maxBytes) throw new ChannelError('too_large')
      const file = (await api.call('getFile', { file_id: ref.id })) as {
        file_path?: unknown
        file_size?: unknown
      } | null
      if (typeof file?.file_path !== 'string') throw new ChannelError('refused')
      if (Number(file.file_size) > maxBytes) throw new ChannelError('too_large')
      return api.download(file.file_path, maxBytes)
    },
    async send(chat, piece) {
      const message = {
        chat_id: Number(chat),
        link_preview_options: NO_PREVIEW,
        ...keyboardOf(piece),
      }
      try {
        await api.call('sendMessage', { ...message, text: piece.html, parse_mode: 'HTML' })
      } catch (error) {
        if (!(error instanceof ChannelError) || error.fault !== 'refused') throw error
        await sendPlain(api, message, piece)
      }
    },
  }
}

/** Answers to pick from, a button each, until one of them is sent. */
function keyboardOf({ options }: Piece) {
  if (!options) return {}
  const keyboard = options.map((text) => [{ text }])
  return { reply_markup: { keyboard, one_time_keyboard: true, resize_keyboard: true } }
}

/** Markup that the channel does not take costs the markup, not the message. */
async function sendPlain(api: BotApi, message: object, { plain }: Piece): Promise<void> {
  await api.call('sendMessage', { ...message, text: plain })
}
