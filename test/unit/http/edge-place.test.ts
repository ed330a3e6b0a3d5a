import { describe, expect, it } from 'vitest'
import type { Config } from '../../../src/config/read-config'
import { readPlace } from '../../../src/http/edge-place'

const request = (cf?: object) => Object.assign(new Request('https://parley.test/'), { cf })
const AUSTIN = { city: 'Austin', country: 'US', timezone: 'America/Chicago', latitude: '30.27' }
const at = (environment: string, byKey = false) => ({
  byKey,
  config: { environment } as Config,
})

describe('readPlace', () => {
  it('is what the edge says of a user who calls by themselves', () => {
    expect(readPlace(request(AUSTIN), at('production'))).toEqual({
      city: 'Austin',
      region: null,
      country: 'US',
      timezone: 'America/Chicago',
      latitude: 30.27,
      longitude: null,
    })
  })

  it('is unknown behind a key, without an edge, and where the runtime makes one up', () => {
    expect(readPlace(request(AUSTIN), at('production', true))).toBeNull()
    expect(readPlace(request(), at('production'))).toBeNull()
    expect(readPlace(request(AUSTIN), at('local'))).toBeNull()
  })
})
