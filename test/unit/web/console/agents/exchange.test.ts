import { describe, expect, it } from 'vitest'
import {
  applyFrame,
  formLines,
  isRunning,
  newExchange,
} from '../../../../../src/web/console/agents/talk/exchange'
import type { Frame, Source } from '../../../../../src/web/kit/turn/frames'

const play = (...frames: Frame[]) => frames.reduce(applyFrame, newExchange('k', 'Why?', null))
const source: Source = { documentId: 'd', n: 1, title: 'T', url: null, page: null, quote: null }

describe('an exchange of the test chat', () => {
  it('grows by its frames to its end', () => {
    const live = play(
      { type: 'session', sessionId: 's', messageId: 'm' },
      { type: 'status', stage: 'retrieving' },
      { type: 'tool', id: 't', name: 'weather', state: 'running' },
      { type: 'token', text: 'Be' },
      { type: 'token', text: 'cause [1].' },
    )
    expect(live).toMatchObject({ messageId: 'm', text: 'Because [1].', state: 'live' })
    expect(isRunning(live)).toBe(true)
    const done = {
      sessionId: 's',
      messageId: 'm',
      reply: 'Because.',
      sources: [source],
      suggestions: [],
      closest: [],
      finishReason: 'stop',
    }
    const frames: Frame[] = [
      { type: 'tool', id: 't', name: 'weather', state: 'done' },
      { type: 'suggestions', suggestions: [{ label: 'And?', value: 'And?' }] },
      { type: 'done', done },
    ]
    const ended = frames.reduce(applyFrame, live)
    expect(ended).toMatchObject({
      text: 'Because.',
      state: 'done',
      sources: [source],
      suggestions: [{ label: 'And?', value: 'And?' }],
      tools: [{ id: 't', name: 'weather', state: 'done' }],
    })
    expect(isRunning(ended)).toBe(false)
  })

  it('asks back in the words of the question where nothing else was said', () => {
    const clarify: Frame = {
      type: 'clarify',
      question: 'Which?',
      options: [{ label: 'A', value: 'a' }],
      offer: null,
    }
    expect(play(clarify).text).toBe('Which?')
    expect(play({ type: 'token', text: 'Well.' }, clarify).text).toBe('Well.')
  })

  it('fails with what the server says', () => {
    const failed = play({ type: 'error', code: 'upstream', detail: 'No model', retryable: true })
    expect(failed).toMatchObject({ state: 'failed', problem: 'No model' })
  })
})

it('a form is sent as lines of what was given', () => {
  const field = { required: false, help: null, options: [] }
  const form = {
    title: null,
    fields: [
      { ...field, name: 'n', label: 'Name', type: 'text' as const },
      { ...field, name: 'w', label: 'Ways', type: 'multiselect' as const },
      { ...field, name: 'e', label: 'Empty', type: 'text' as const },
      { ...field, name: 'b', label: 'News', type: 'boolean' as const },
    ],
  }
  expect(formLines(form, { n: ['Ada'], w: ['x', 'y'] }, ['Yes', 'No'])).toBe(
    'Name: Ada\nWays: x, y\nNews: No',
  )
})
