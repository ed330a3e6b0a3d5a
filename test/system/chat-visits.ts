import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { richReply } from '../support/chat-samples'
import { ChatServer } from '../support/chat-server'
import { launchBrowser, openPage, type WatchedPage } from './browser'

/** Of the test that runs; files of one process run one after the other. */
export let browser: Browser
export let server: ChatServer
/** Pages of the test that runs, with what must not happen on them. */
export const watchedPages: WatchedPage[] = []

/** A file's browser; and every page of a test must end without a fault or a foreign request. */
export function forVisits(): void {
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())

  afterEach(async () => {
    for (const { page, faults, strangers } of watchedPages.splice(0)) {
      await page.context().close()
      expect(faults).toEqual([])
      expect(strangers).toEqual([])
    }
    await server.stop()
  })
}

/** The test's own server, to be told what its page says before it is started. */
export function newServer(): ChatServer {
  server = new ChatServer()
  return server
}

/** A fresh server and a fresh visitor. */
export async function visit(
  path = '/a/acme/front-desk',
  options: BrowserContextOptions = {},
): Promise<Page> {
  newServer().script = () => richReply()
  await server.start()
  return revisit(path, options)
}

/** Another visitor of the same server. */
export async function revisit(
  path = '/a/acme/front-desk',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const watched = await openPage(browser, server.origin, options)
  watchedPages.push(watched)
  await watched.page.goto(server.origin + path)
  await watched.page.waitForSelector('textarea')
  return watched.page
}

export const lastReply = (page: Page) => page.locator('.reply').last()
