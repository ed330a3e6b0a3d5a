import { describe, expect, it } from 'vitest'
import { hastyLooks, lookingFunctions } from '../../../scripts/check-looks.mjs'

const lines = (code: string, looking: string[] = []) =>
  hastyLooks(code, looking).map(({ line }) => line)

describe('looks at a page', () => {
  it.each([
    `expect(await page.locator('.source bdi').allTextContents()).toEqual(['Refund policy'])`,
    `expect((await mark.boundingBox())?.y).toBe(12)`,
    `expect([await page.title(), 1]).toEqual(['', 1])`,
    `expect(await page.evaluate(() => document.activeElement?.localName)).toBe('select')`,
    `expect(page.url()).not.toContain('#')`,
    `await page.waitForTimeout(200)`,
  ])('are reported when they do not wait: %s', (code) => {
    expect(lines(code)).toEqual([1])
  })

  it('are reported through a name and through a function as well', () => {
    expect(
      lines(
        `const texts = await page.locator('li').allTextContents()
expect(texts[0]).toBe('One')
const { width } = await mark.boundingBox()
expect(width).toBe(1)
const notes = () => page.locator('.note').count()
expect(await notes()).toBe(0)
async function cut() { return (await page.locator('.cut').count()) > 0 }
expect(await cut()).toBe(false)
expect(await overflow(page)).toBe(0)
import { overflow } from './browser'`,
        ['overflow'],
      ),
    ).toEqual([2, 4, 6, 8, 9])
    expect(
      lookingFunctions('const a = () => page.title(); const b = () => page.click("x")'),
    ).toEqual(['a'])
  })

  it.each([
    `await expect.poll(() => page.locator('.source bdi').allTextContents()).toEqual([])`,
    `expect(await waitFor(async () => (await page.locator('li').count()) || null)).toBe(2)`,
    `const notes = () => page.locator('.note').count(); await expect.poll(notes).toBe(0)`,
    `const before = await mark.boundingBox(); await expect.poll(place).toBe(before?.y)`,
    `const size = await page.evaluate(async () => (await createImageBitmap(blob)).width); expect(size).toBe(4)`,
    `const answer = await page.goto(url); expect(answer?.status()).toBe(404)`,
    `expect((await me('GET', '/me/spaces')).json).toEqual([])`,
  ])('are free when something waits: %s', (code) => {
    expect(lines(code)).toEqual([])
  })
})
