import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { users } from '../../src/db/tables/users'
import { createLog } from '../../src/log'

describe('createLog', () => {
  let line = ''
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation((text: string) => {
      line = text
    })
  })
  afterEach(() => vi.restoreAllMocks())

  it('keeps of a model call’s failure its status, not what the endpoint said', () => {
    const error = Object.assign(new Error('Key sk-123 is wrong; you asked "secret"'), {
      statusCode: 401,
    })
    error.name = 'AI_APICallError'
    createLog('turn').error('turn_failed', error)
    expect(line).not.toMatch(/sk-123|secret/)
    expect(JSON.parse(line)).toMatchObject({
      error: 'AI_APICallError',
      message: 'Model call failed (401)',
    })
  })

  it('names the last status of a call that was tried again', () => {
    const last = { statusCode: 503 }
    const error = Object.assign(new Error('Last error: sk-123'), { lastError: last })
    error.name = 'AI_RetryError'
    createLog('turn').error('turn_failed', error)
    expect(JSON.parse(line).message).toBe('Model call failed (503)')
    expect(line).not.toContain('sk-123')
  })

  it.each([
    ['D1_ERROR: Network connection lost.', new Error('D1_ERROR: Network connection lost.')],
    ['Failed query', undefined],
  ])('keeps no value of a statement that failed: %s', async (said, cause) => {
    const statement = { bind: () => ({ raw: () => Promise.reject(cause) }) }
    const db = drizzle({ prepare: () => statement } as unknown as D1Database)
    const query = db.select().from(users).where(eq(users.externalId, 'ada@example.com'))
    const error = await query.catch((failure: unknown) => failure)
    expect(String(error)).toContain('ada@example.com')
    createLog('http').error('request_failed', error)
    expect(line).not.toContain('ada@example.com')
    expect(JSON.parse(line).message).toBe(said)
  })

  it.each(['["My parrot", whistles]', 'My parrot whistles'])(
    'keeps nothing of what is no JSON: %s',
    (text) => {
      try {
        JSON.parse(text)
      } catch (error) {
        expect(String(error)).toMatch(/parrot|whistles/)
        createLog('turn').error('turn_failed', error)
      }
      expect(line).not.toMatch(/parrot|whistles/)
      expect(JSON.parse(line)).toMatchObject({ error: 'SyntaxError', message: 'Not valid JSON' })
    },
  )

  it('keeps the message of our own errors', () => {
    createLog('jobs').error('job_failed', new Error('A space still holds vectors'))
    expect(JSON.parse(line).message).toBe('A space still holds vectors')
  })
})
