import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { reply } from '../support/chat-server'
import { accessibilityTree } from './accessibility-tree'
import { ask, openMenu, sourcesShown } from './chat'
import { forVisits, server, visit } from './chat-visits'

forVisits()

/** Lines without how deep they stand, and times without which they are. */
const told = async (page: Page) =>
  (await accessibilityTree(page)).map((line) => line.trim().replace(/, \d[\d:]*.[AP]M"/, ', time"'))

/** What stands below the first line that begins so, each line without the depth of that one. */
async function below(page: Page, beginning: string): Promise<string[]> {
  const tree = (await accessibilityTree(page)).map((line) =>
    line.replace(/, \d[\d:]*.[AP]M"/, ', time"'),
  )
  const at = tree.findLastIndex((line) => line.trim().startsWith(beginning))
  const depth = (line: string) => line.length - line.trimStart().length
  const top = depth(tree[at] ?? '')
  const rest = tree.slice(at + 1)
  const end = rest.findIndex((line) => depth(line) <= top)
  return rest.slice(0, end < 0 ? undefined : end).map((line) => line.slice(top + 2))
}

describe('what a screen reader is handed', () => {
  it('at first: a way to the message field, places with names, a silent log and two places that speak', async () => {
    const page = await visit()
    await expect
      .poll(() => told(page))
      .toEqual([
        'RootWebArea "Front desk · Acme Tools" focused=true',
        'button "Go to the message field"',
        'banner',
        'heading "Front desk"',
        'button "New chat" disabled=true',
        'button "Menu" expanded=false',
        'main',
        'log "Conversation"',
        'heading "Conversation"',
        'list "Start with"',
        'listitem',
        'button "Return an item"',
        'listitem',
        'button "Warranty"',
        'listitem',
        'button "Opening hours"',
        'list',
        'form',
        'textbox "Message" focused=true',
        'button "Add images"',
        'status live=polite',
        'button "Send" disabled=true',
        'status live=polite',
        'alert live=assertive',
      ])
  })

  it('while an answer is written: that it is, by its status alone, and a way to stop it', async () => {
    const page = await visit()
    const looked = Promise.withResolvers<void>()
    server.script = () => reply('One. Two.', { until: looked.promise, holdAt: 5 })
    await page.fill('.composer textarea', 'Hi')
    await page.press('.composer textarea', 'Enter')
    await page.locator('.md', { hasText: 'One.' }).waitFor()
    const main = () => below(page, 'main')
    await expect
      .poll(async () => (await main()).slice(-8))
      .toEqual([
        'form',
        '  textbox "Message" focused=true',
        '  button "Add images"',
        '  status live=polite',
        '  button "Stop"',
        'status live=polite',
        '  says "Answering"',
        'alert live=assertive',
      ])
    await expect
      .poll(async () => (await below(page, 'log')).filter((line) => !line.startsWith('    ')))
      .toEqual([
        'heading "Conversation"',
        'list',
        '  listitem "You, time"',
        '  listitem "Front desk, time"',
      ])
    looked.resolve()
    await expect.poll(async () => (await main()).at(-2)).toBe('  says "One. Two."')
  })

  it('of an answer: its marks by their sources, tables, code and lists as such, what may be done with it', async () => {
    const page = await visit('/a/acme/front-desk', { viewport: { width: 1280, height: 900 } })
    await ask(page, 'Question')
    await sourcesShown(page)
    await expect
      .poll(async () => (await below(page, 'listitem "Front desk')).map((line) => line.trim()))
      .toEqual(
        expect.arrayContaining([
          'button "Source 1: Returns and exchanges"',
          'heading "How to return an item"',
          'group "Table"',
          'columnheader "Window"',
          'cell "30 days"',
          'group "Code"',
          'link "returns guide"',
          'list "Sources"',
          'button "Terms of sale page 12" expanded=false',
          'link "Open: Returns and exchanges (opens in a new tab)"',
          'button "Good answer" pressed=false',
          'button "Poor answer" pressed=false',
          'list "Suggested questions"',
        ]),
      )
    await page.locator('button.cite').first().click()
    await page.locator('.panel .source.is-open mark').waitFor()
    await expect
      .poll(() => below(page, 'complementary "Sources"'))
      .toEqual(
        expect.arrayContaining([
          '  button "Close"',
          '    button "Returns and exchanges" expanded=true focused=true',
          '      DisclosureTriangle "The text before" expanded=false',
          '      mark',
          '    button "Terms of sale page 12" expanded=false',
        ]),
      )
  })

  it('of the menu: that it is open, each choice with its name and state', async () => {
    const page = await visit()
    await openMenu(page)
    await expect
      .poll(async () => (await below(page, 'banner')).map((line) => line.trim()))
      .toEqual(
        expect.arrayContaining([
          'button "Menu" expanded=true',
          'combobox "Language" expanded=false focused=true',
          'group "Theme"',
          'radio "Automatic" checked=true',
          'radio "Dark" checked=false',
          'link "Sign in"',
        ]),
      )
  })

  it('of a form: how many fields follow, which are needed, what is wrong with which', async () => {
    const page = await visit()
    const name = { name: 'a', label: 'Name', required: true, help: 'As on the invoice' }
    const colours = { name: 'c', label: 'Colours', type: 'multiselect', options: ['Red', 'Blue'] }
    server.script = () => [
      { event: 'form', data: { title: 'Your order', fields: [name, colours] } },
      { event: 'done', data: { reply: 'Please fill in.', finish_reason: 'form' } },
    ]
    await ask(page, 'Form')
    await page.locator('form.card').waitFor()
    await expect
      .poll(async () => (await below(page, 'main')).at(-2))
      .toBe('  says "Please fill in. A form with 2 fields follows."')
    await page.locator('form.card button[type=submit]').click()
    await page.locator('.field-error').waitFor()
    await expect
      .poll(async () => (await below(page, 'group "Your order"')).map((line) => line.trim()))
      .toEqual(
        expect.arrayContaining([
          'textbox "Name" focused=true invalid=true required=true',
          'group "Colours"',
          'checkbox "Red" checked=false',
          'button "Send"',
        ]),
      )
    const described = () =>
      page
        .getByLabel('Name')
        .evaluate((field) =>
          (field.getAttribute('aria-describedby') ?? '')
            .split(' ')
            .map((id) => document.getElementById(id)?.textContent),
        )
    await expect.poll(described).toEqual(['As on the invoice', 'Please fill in this field.'])
  })

  it('of a failure: at once, with the way to try again', async () => {
    const page = await visit()
    server.script = () => ({ status: 500, body: { detail: 'Internal Server Error' } })
    await page.fill('.composer textarea', 'Hi')
    await page.press('.composer textarea', 'Enter')
    await expect
      .poll(async () => (await below(page, 'main')).slice(-2))
      .toEqual(['alert live=assertive', '  says "Something went wrong on our side."'])
    await expect
      .poll(() => below(page, 'listitem "Front desk'))
      .toEqual(expect.arrayContaining(['button "Try again"']))
  })
})
