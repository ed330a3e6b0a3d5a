import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type ChatBody, reply } from '../support/chat-server'
import { answered, ask, openMenu } from './chat'
import { forVisits, newServer, revisit, server, visit } from './chat-visits'

forVisits()

describe('the opening (#13.6)', () => {
  it('greets in the words of the day and offers storylines beside the menu, in the page’s language', async () => {
    newServer()
    const features = { feedback: true, history: false, signIn: true, sources: true }
    server.page = {
      features: { ...features, handOff: false, speech: false, hears: false, opening: true },
    }
    server.opening = (lang) => ({
      greeting: lang === 'es' ? 'Buenos días, ¿qué necesita?' : 'Good morning, what do you need?',
      greeting_id: `said in ${lang}`,
      storylines: [
        // The page was rendered with it already.
        { id: 's0', label: 'Warranty', value: 'Warranty' },
        { id: 's1', label: 'First steps', value: 'First steps' },
      ],
    })
    await server.start()
    const page = await revisit()
    await page.getByText('Good morning, what do you need?').waitFor()
    await expect
      .poll(() => page.locator('.intro .chip').allTextContents())
      .toEqual(['Return an item', 'Warranty', 'Opening hours', 'First steps'])
    await openMenu(page)
    await page.locator('.popover select').selectOption('es')
    await page.getByText('Buenos días, ¿qué necesita?').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'First steps' }).click()
    await answered(page)
    expect(server.to('/v1/chat/stream')[0]?.body).toMatchObject({
      message: 'First steps',
      greeting_id: 'said in es',
    })
    await ask(page, 'And then?')
    expect(server.to('/v1/chat/stream')[1]?.body).not.toHaveProperty('greeting_id')
  })

  it('sends the greeting that came with the page, and asks without it once it has ended', async () => {
    newServer()
    const words = { name: 'Front desk', greeting: 'Good day.', greetingId: 'ended', menu: [] }
    server.page = {
      agent: { id: 'agent-1', name: 'Front desk', description: null, words, translations: {} },
    }
    const problem = { loc: ['body', 'greeting_id'], msg: 'it is not known, or has ended' }
    server.script = (body) =>
      'greeting_id' in body ? { status: 422, body: { detail: [problem] } } : reply('Hello.')
    await server.start()
    const page = await revisit()
    await ask(page, 'Hello')
    const sent = server.to('/v1/chat/stream').map(({ body }) => body)
    expect(sent).toMatchObject([{ greeting_id: 'ended' }, { message: 'Hello' }])
    expect(sent[1]).not.toHaveProperty('greeting_id')
    await page.locator('.reply .md', { hasText: 'Hello.' }).waitFor()
  })

  it('keeps the words that came with the page where the opening cannot be read', async () => {
    newServer()
    const features = { feedback: true, history: false, signIn: true, sources: true }
    server.page = {
      features: { ...features, handOff: false, speech: false, hears: false, opening: true },
    }
    server.opening = () => ({ greeting: 7, storylines: [null, { label: 'x' }] })
    await server.start()
    const page = await revisit()
    await expect.poll(() => server.to('/v1/agents/Front%20desk/opening').length).toBe(1)
    await page.getByText('Welcome to Acme.').waitFor()
    await expect.poll(() => page.locator('.intro .chip').count()).toBe(3)
  })
})

describe('pictures', () => {
  /** A PNG of this size, drawn in the page. */
  async function picture(page: Page, width: number, height: number): Promise<Buffer> {
    const base64 = await page.evaluate(
      async ([w, h]) => {
        const canvas = document.createElement('canvas')
        canvas.width = w ?? 1
        canvas.height = h ?? 1
        const context = canvas.getContext('2d')
        if (context) {
          context.fillStyle = '#0b6b5d'
          context.fillRect(0, 0, canvas.width, canvas.height)
        }
        return canvas.toDataURL('image/png').split(',')[1] ?? ''
      },
      [width, height],
    )
    return Buffer.from(base64, 'base64')
  }

  it('shrinks what is picked, shows it, sends it, and refuses other files', async () => {
    const page = await visit()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add images' }).click(),
    ])
    await chooser.setFiles([
      { name: 'wide.png', mimeType: 'image/png', buffer: await picture(page, 3200, 800) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('hello') },
    ])
    await page.getByRole('img', { name: 'wide.png' }).waitFor()
    await expect.poll(() => page.locator('.composer-note').textContent()).toContain('notes.txt')
    await expect.poll(() => page.locator('.composer-note').textContent()).toContain('broken.png')
    await page.keyboard.type('What is this?')
    await page.keyboard.press('Enter')
    await answered(page)
    const body = server.to('/v1/chat/stream')[0]?.body as { images: string[] }
    expect(body.images).toHaveLength(1)
    const size = await page.evaluate(async (url) => {
      const image = new Image()
      const bytes = Uint8Array.from(atob(url.split(',')[1] ?? ''), (c) => c.charCodeAt(0))
      image.src = URL.createObjectURL(new Blob([bytes], { type: 'image/webp' }))
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    }, body.images[0] ?? '')
    expect(body.images[0]).toMatch(/^data:image\/webp;base64,/)
    expect(size).toEqual([1600, 400])
    await expect.poll(() => page.locator('.own img').getAttribute('alt')).toBe('wide.png')
    await page.reload()
    await page.locator('.own-image-name', { hasText: 'wide.png' }).waitFor()
  })

  it('sends one as JPEG on white that is above 5 MB where the browser writes no WebP', async () => {
    const page = await visit()
    // As Safari, which writes PNG instead, leaves a photograph.
    const clear = await page.evaluate(
      (bytes) => {
        const { toBlob } = HTMLCanvasElement.prototype
        HTMLCanvasElement.prototype.toBlob = function (take, type, quality) {
          if (type === 'image/jpeg') toBlob.call(this, take, type, quality)
          else take(new Blob([new Uint8Array(bytes)], { type: 'image/png' }))
        }
        const canvas = document.createElement('canvas')
        canvas.width = canvas.height = 40
        return canvas.toDataURL('image/png').split(',')[1] ?? ''
      },
      5 * 2 ** 20 + 1,
    )
    await page.locator('input[type=file]:not([capture])').setInputFiles({
      name: 'clear.png',
      mimeType: 'image/png',
      buffer: Buffer.from(clear, 'base64'),
    })
    const shown = page.getByRole('img', { name: 'clear.png' })
    await shown.waitFor()
    const colour = await shown.evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      const context = document.createElement('canvas').getContext('2d')
      context?.drawImage(image, 0, 0)
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])]
    })
    expect(colour).toEqual([255, 255, 255, 255])
    await page.press('.composer textarea', 'Enter')
    await answered(page)
    const body = server.to('/v1/chat/stream')[0]?.body as { images: string[] }
    expect(body.images).toEqual([expect.stringMatching(/^data:image\/jpeg;base64,/)])
  })

  it('refuses one that stays above 5 MB, by its name, and keeps what was written', async () => {
    const page = await visit()
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.toBlob = (take) =>
        take(new Blob([new Uint8Array(5 * 2 ** 20 + 1)]))
    })
    await page.locator('.composer textarea:focus').waitFor()
    await page.keyboard.type('What is this?')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add images' }).click(),
    ])
    await chooser.setFiles([
      { name: 'huge.png', mimeType: 'image/png', buffer: await picture(page, 40, 40) },
    ])
    await expect
      .poll(() => page.locator('.composer-note').textContent())
      .toContain('huge.png: the image is too large.')
    await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('What is this?')
    await expect.poll(() => page.getByRole('img', { name: 'huge.png' }).count()).toBe(0)
  })

  it('shows that a picture is being prepared, and sent ones in a grid; phones offer their camera (#14.5)', async () => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
    const page = await visit('/a/acme/front-desk', phone)
    await page.evaluate(() => {
      const decode = globalThis.createImageBitmap.bind(globalThis)
      const held = Promise.withResolvers<void>()
      Object.assign(globalThis, {
        letGo: held.resolve,
        createImageBitmap: (file: Blob) => held.promise.then(() => decode(file)),
      })
    })
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Take a photo' }).click(),
    ])
    const buffer = await picture(page, 400, 300)
    await chooser.setFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await expect.poll(() => page.locator('.preparing').count()).toBe(1)
    await expect
      .poll(() => page.locator('.composer-note').textContent())
      .toBe('Preparing the images')
    await page.evaluate(() => (globalThis as unknown as { letGo(): void }).letGo())
    await page.getByRole('img', { name: 'a.png' }).waitFor()
    await page
      .locator('input[type=file]:not([capture])')
      .setInputFiles(['b.png', 'c.png'].map((name) => ({ name, mimeType: 'image/png', buffer })))
    await expect.poll(() => page.locator('.attachments img').count()).toBe(3)
    await expect.poll(() => page.locator('.preparing').count()).toBe(0)
    await page.press('.composer textarea', 'Enter')
    await answered(page)
    const boxes = async () =>
      Promise.all((await page.locator('.own-images img').all()).map((image) => image.boundingBox()))
    await expect.poll(async () => (await boxes()).length).toBe(3)
    await expect
      .poll(async () => {
        const [first, second, third] = await boxes()
        return first?.y === second?.y && (third?.y ?? 0) > (first?.y ?? 0)
      })
      .toBe(true)
  })

  it('waits for each of several that are picked one after the other', async () => {
    const page = await visit()
    await page.evaluate(() => {
      const decode = globalThis.createImageBitmap.bind(globalThis)
      const held: (() => void)[] = []
      Object.assign(globalThis, {
        letOneGo: () => held.shift()?.(),
        createImageBitmap: (file: Blob) =>
          new Promise<void>((resolve) => held.push(resolve)).then(() => decode(file)),
      })
    })
    const letOneGo = () =>
      page.evaluate(() => (globalThis as unknown as { letOneGo(): void }).letOneGo())
    const buffer = await picture(page, 40, 40)
    const preparing = () => page.locator('.preparing').count()
    for (const [n, name] of ['a.png', 'b.png'].entries()) {
      await page
        .locator('input[type=file]:not([capture])')
        .setInputFiles({ name, mimeType: 'image/png', buffer })
      await expect.poll(preparing).toBe(n + 1)
    }
    await letOneGo()
    await page.getByRole('img', { name: 'a.png' }).waitFor()
    await expect.poll(preparing).toBe(1)
    await page.press('.composer textarea', 'Enter')
    await letOneGo()
    await page.getByRole('img', { name: 'b.png' }).waitFor()
    await page.press('.composer textarea', 'Enter')
    await answered(page)
    const sent = server.to('/v1/chat/stream').map(({ body }) => (body as ChatBody).images?.length)
    expect(sent).toEqual([2])
  })

  it('takes pasted and dropped pictures, four at most, and lets them go again', async () => {
    const page = await visit()
    const bytes = (await picture(page, 40, 40)).toString('base64')
    const give = (how: 'paste' | 'drop', count: number) =>
      page.evaluate(
        ([base64, kind, n]) => {
          const data = new DataTransfer()
          for (let i = 0; i < Number(n); i++) {
            const raw = Uint8Array.from(atob(String(base64)), (c) => c.charCodeAt(0))
            data.items.add(new File([raw], `${kind}${i}.png`, { type: 'image/png' }))
          }
          const event =
            kind === 'paste'
              ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true })
              : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          document.querySelector('textarea')?.dispatchEvent(event)
        },
        [bytes, how, count] as const,
      )
    await give('paste', 2)
    await page.getByRole('img', { name: 'paste1.png' }).waitFor()
    await give('drop', 3)
    await page.getByText('4 images per message at most.').waitFor()
    await expect.poll(() => page.locator('.attachments img').count()).toBe(4)
    await page.getByRole('button', { name: 'Remove paste0.png' }).click()
    await expect.poll(() => page.locator('.attachments img').count()).toBe(3)
    await page.keyboard.press('Enter')
    await answered(page)
    const body = server.to('/v1/chat/stream')[0]?.body as { message: string; images: string[] }
    expect(body.images).toHaveLength(3)
    expect(body.message).toBe('')
  })

  it('takes the text of a table that is pasted, not the picture beside it', async () => {
    const page = await visit()
    const pasted = (types: string[]) =>
      page.evaluate((kinds) => {
        const data = new DataTransfer()
        for (const kind of kinds) data.setData(kind, 'words')
        data.items.add(new File(['x'], 'picture.png', { type: 'image/png' }))
        const options = { clipboardData: data, bubbles: true, cancelable: true }
        const event = new ClipboardEvent('paste', options)
        document.querySelector('textarea')?.dispatchEvent(event)
        return event.defaultPrevented ? 'picture' : 'text'
      }, types)
    // A table, a picture of a page, and a file of a folder.
    const clipboards = [['text/plain', 'text/html'], ['text/html'], ['text/plain']]
    const taken = []
    for (const types of clipboards) taken.push(await pasted(types))
    expect(taken).toEqual(['text', 'picture', 'picture'])
  })
})

describe('language and theme', () => {
  it('changes the language in place and remembers it, but an address that names one wins', async () => {
    const page = await visit('/a/acme/front-desk', { locale: 'es-ES' })
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe('en')
    const loaded = () => server.requests.filter((r) => r.path.includes('/locale-')).length
    expect(loaded()).toBe(1)
    await openMenu(page)
    await page.getByLabel('Language').selectOption('ar')
    await page.locator('html[dir="rtl"][lang="ar"]').waitFor()
    await page.getByRole('textbox', { name: 'الرسالة' }).waitFor()
    await ask(page, 'مرحبا')
    const asked = server.to('/v1/chat/stream').map(({ headers }) => headers['accept-language'])
    expect(asked).toEqual(['ar'])
    await page.reload()
    await page.getByRole('textbox', { name: 'الرسالة' }).waitFor()
    await page.goto(`${server.origin}/a/acme/front-desk?lang=ru`)
    await page.getByRole('textbox', { name: 'Сообщение' }).waitFor()
    await page.locator('html[dir="ltr"][lang="ru"]').waitFor()
  })

  it('has the chosen theme before anything is painted', async () => {
    const page = await visit()
    await openMenu(page)
    await page.getByLabel('Dark').check()
    const dark = 'rgb(17, 22, 20)'
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await expect.poll(background).toBe(dark)
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return
        Object.assign(globalThis, { themeAtBody: document.documentElement.dataset.theme })
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await expect
      .poll(() =>
        page.evaluate(() => (globalThis as unknown as { themeAtBody: string }).themeAtBody),
      )
      .toBe('dark')
    await expect.poll(background).toBe(dark)
  })

  it('wears the tenant’s accent', async () => {
    newServer()
    server.page = {
      tenant: { id: 't', name: 'Acme', logoUrl: null, accent: '#7a1fa2' },
    }
    await server.start()
    const page = await revisit()
    const accent = () =>
      page.locator('.tile').evaluate((tile) => getComputedStyle(tile).backgroundColor)
    await expect.poll(accent).toBe('rgb(122, 31, 162)')
  })
})
