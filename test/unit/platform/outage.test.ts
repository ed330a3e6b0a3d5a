import { describe, expect, it } from 'vitest'
import { notFound } from '../../../src/errors'
import { isOutage } from '../../../src/platform/outage'

const wrapped = (message: string) =>
  new Error('Failed query: select ? params: overloaded', { cause: new Error(message) })

describe('an outage', () => {
  it.each([
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    'D1_ERROR: D1 DB reset because its code was updated.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
    'put: We encountered an internal error. Please try again. (10001)',
    'get: Reduce your concurrent request rate for the same object. (10058)',
    'Queue sendBatch failed: Too Many Requests',
    'Queue send failed: Internal Server Error',
    'Durable Object reset because its code was updated.',
    'Durable Object is overloaded. Too many requests queued.',
    "The Durable Object's code has been updated, this version can no longer access storage.",
    'internal error; reference = 0a1b2c',
  ])('is told by its words: %s', (message) => {
    expect([isOutage(new Error(message)), isOutage(wrapped(message))]).toEqual([true, true])
  })

  it('is told by the flags of an object’s stub', () => {
    expect(isOutage(Object.assign(new Error('x'), { retryable: true }))).toBe(true)
    expect(isOutage(Object.assign(new Error('x'), { overloaded: true }))).toBe(true)
    expect(isOutage(Object.assign(new Error('x'), { remote: true }))).toBe(false)
  })

  it.each([
    'D1_ERROR: UNIQUE constraint failed: agents.name: SQLITE_CONSTRAINT',
    'D1_ERROR: near "FORM": syntax error at offset 9: SQLITE_ERROR',
    'D1_ERROR: Wrong number of parameter bindings for SQL query.',
    'get: The specified key does not exist. (10007)',
    "Cannot read properties of undefined (reading 'id')",
  ])('is no fault of ours: %s', (message) => {
    expect([isOutage(new Error(message)), isOutage(wrapped(message))]).toEqual([false, false])
  })

  it('is nothing that is no error, nor one of ours', () => {
    expect([isOutage('Network connection lost.'), isOutage(notFound('Agent'))]).toEqual([
      false,
      false,
    ])
  })
})
