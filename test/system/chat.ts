import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Writes into the composer and sends it. */
export async function say(page: Page, words: string): Promise<void> {
  await page.fill('.composer textarea', words)
  await page.press('.composer textarea', 'Enter')
}

/** Resolves once there are this many replies and the next message can be sent: the texts are whole then, sources may still come. */
export async function answered(page: Page, count = 1): Promise<void> {
  await page.waitForFunction(
    (n) =>
      document.querySelectorAll('.reply').length >= n &&
      document.querySelector('button.send')?.getAttribute('type') === 'submit',
    count,
  )
}

/** A message, as soon as one can be sent, and its whole answer. */
export async function ask(page: Page, words: string): Promise<void> {
  await page.waitForSelector('button.send[type=submit]')
  const before = await page.locator('.reply').count()
  await say(page, words)
  await answered(page, before + 1)
}

/** Resolves once the last reply shows what it rests on; that code comes after the answer. */
export async function sourcesShown(page: Page): Promise<void> {
  await page.locator('.reply').last().locator('.source').first().waitFor()
}

/** Opens the menu and resolves once it is there, whatever its language. */
export async function openMenu(page: Page): Promise<void> {
  await page.click('.menu > button')
  await page.waitForSelector('.popover select')
}

/** Counts what the page that is open reads of streams. @returns a function that resolves once it read all that was written. */
export async function watchReads(
  page: Page,
  stream: { readonly written: number },
): Promise<() => Promise<void>> {
  let read = 0
  await page.exposeFunction('noteRead', (bytes: number) => {
    read += bytes
  })
  await page.evaluate(() => {
    const { noteRead } = globalThis as unknown as { noteRead(bytes: number): void }
    const { prototype } = ReadableStreamDefaultReader
    const { read: readNext } = prototype
    prototype.read = async function () {
      const part = await readNext.call(this)
      if (part.value instanceof Uint8Array) noteRead(part.value.byteLength)
      return part
    }
  })
  return () => expect.poll(() => read).toBeGreaterThanOrEqual(stream.written)
}
