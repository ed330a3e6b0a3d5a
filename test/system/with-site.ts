import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Parley } from '../support/harness'
import { launchBrowser } from './browser'
import { sharedSite } from './site'

/** Of the block that runs; files of one process run one after the other. */
export let browser: Browser
export let parley: Parley
export let origin: string

/** For a block of tests: a browser, and the site that test files of one process have in common. */
export function withSite(): void {
  beforeAll(async () => {
    browser = await launchBrowser()
    parley = await sharedSite()
    origin = parley.url.origin
  })
  afterAll(() => browser.close())
}
