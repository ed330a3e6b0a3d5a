import { describe, expect, it } from 'vitest'
import { sharedParley } from '../support/harness'
import { rawSend } from '../support/raw-send'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'fr' }

describe('what people read who open an address', () => {
  it.each([
    ['/', 200, 'Parley'],
    ['/nothing/here', 404, 'Page introuvable'],
    ['/v1/nothing', 404, 'Page introuvable'],
    ['/v1/agents', 401, 'Cela n’a pas fonctionné'],
    ['/widget/nobody', 404, 'Cette discussion n’est pas disponible'],
    ['/widget-demo/nowhere', 404, 'Page not found'],
  ])('%s is a page with status %i for a browser (#14.7)', async (path, status, title) => {
    const parley = await sharedParley()
    const answer = await parley.call('GET', path, { headers: BROWSER })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('vary')).toContain('Accept')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.text).toContain(`<h1>${title}</h1>`)
    expect(answer.text).not.toContain('detail')
  })

  it('is JSON for programs, as ever (#14.7)', async () => {
    const parley = await sharedParley()
    for (const accept of ['*/*', 'application/json']) {
      const call = (path: string) => parley.call('GET', path, { headers: { accept } })
      expect((await call('/')).json).toMatchObject({ name: 'parley' })
      const missing = await call('/nothing/here')
      expect([missing.status, missing.json]).toEqual([404, { detail: 'Not Found' }])
      expect((await call('/v1/agents')).json).toHaveProperty('detail')
    }
  })

  it('keeps what goes with an error (#14.7)', async () => {
    const parley = await sharedParley()
    const answer = await parley.call('DELETE', '/health', { headers: BROWSER })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('is where it is also with a slash behind it', async () => {
    const parley = await sharedParley()
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/console', '/docs', '/a/caf%C3%A9/desk', '/login/nobody']) {
        const answer = await rawSend(parley.edge, method, `${path}/?lang=fr`)
        expect([answer.status, answer.headers.get('location')]).toEqual([308, `${path}?lang=fr`])
      }
    for (const [method, path] of [
      ['POST', '/console/'],
      ['GET', '/console//'],
      ['GET', '//console/'],
      ['GET', '//example.com/'],
      ['GET', '/v1/agents/'],
      ['GET', '/health/'],
    ] as const)
      expect([path, (await rawSend(parley.edge, method, path)).status]).toEqual([path, 404])
  })
})
