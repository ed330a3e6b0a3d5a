import { expect, it } from 'vitest'
import { CONSOLE_ASSETS } from '../../../src/pages/assets.gen'
import { renderConsolePage } from '../../../src/pages/console-page'

it('the console is framed by nobody, and frames nothing but this deployment’s own pages', () => {
  const { headers } = renderConsolePage({
    nonce: 'abcdefghijklmnopqrstuv',
    lang: 'en',
    assets: CONSOLE_ASSETS,
  })
  const policy = headers['Content-Security-Policy']?.split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("frame-src 'self'")
  expect(policy).toContain("script-src 'nonce-abcdefghijklmnopqrstuv'")
  expect(policy).toContain("trusted-types 'none'")
})
