import { describe, expect, it } from 'vitest'
import { applyFrame, newReply } from '../../../../../src/web/chat/model/chat'
import { type Frame, parseFrame } from '../../../../../src/web/kit/turn/frames'

function parse(event: string, data: unknown): Frame | null {
  return parseFrame(event, JSON.stringify(data))
}

describe('parseFrame', () => {
  it('reads the frames of the contract', () => {
    expect(parse('session', { session_id: 's', message_id: 'm', agent: 'a' })).toEqual({
      type: 'session',
      sessionId: 's',
      messageId: 'm',
    })
    expect(parse('token', { text: 'x' })).toEqual({ type: 'token', text: 'x' })
    expect(parse('error', { code: 'upstream', detail: 'd', retryable: false })).toEqual({
      type: 'error',
      code: 'upstream',
      detail: 'd',
      retryable: false,
    })
    expect(
      parse('sources', { sources: [{ document_id: 'd', distance: 0.2 }, { distance: 1 }] }),
    ).toEqual({
      type: 'sources',
      sources: [
        {
          documentId: 'd',
          n: null,
          title: null,
          url: null,
          page: null,
          heading: null,
          quote: null,
          quotes: [],
        },
      ],
    })
  })

  it.each([
    ['unknown', { text: 'x' }],
    ['token', { text: 5 }],
    ['session', { session_id: 's' }],
    ['sources', { sources: 'x' }],
    ['form', { fields: [] }],
    ['tool', null],
    ['token', []],
  ])('ignores a malformed or unknown %s frame', (event, data) => {
    expect(parse(event, data)).toBeNull()
  })

  it('ignores an event without a name and data that is not JSON', () => {
    expect(parseFrame(undefined, '{"text":"x"}')).toBeNull()
    expect(parseFrame('token', '{"text":')).toBeNull()
  })

  it('shows a storyline as long as it runs', () => {
    const noted = [{ name: 'city', label: 'City', value: 'Rome' }, { label: 'Broken' }, 7]
    const progress = { done: 1, total: 3 }
    const storyline = { id: 's', name: 'Tour', node: 'Start', progress, leave: 'Leave', noted }
    const shown = {
      id: 's',
      name: 'Tour',
      part: 'Start',
      step: 1,
      steps: 3,
      leave: 'Leave',
      noted: [{ label: 'City', value: 'Rome' }],
    }
    expect(parse('storyline', { ...storyline, status: 'active' })).toMatchObject({
      storyline: shown,
    })
    expect(parse('storyline', storyline)).toMatchObject({ storyline: shown })
    for (const status of ['completed', 'exited', 'failed', 'paused'])
      expect(parse('storyline', { ...storyline, status })).toMatchObject({ storyline: null })
    expect(parse('storyline', { id: 's' })).toMatchObject({
      storyline: { name: null, part: null, step: null, steps: null, leave: null, noted: [] },
    })
  })

  it('bounds what a server may ask the page to draw', () => {
    const options = Array.from({ length: 50 }, (_, i) => `o${i}`)
    const clarify = parse('clarify', { question: 'Which?', options })
    expect(clarify?.type === 'clarify' && clarify.options).toHaveLength(8)
    const fields = options.map((name) => ({ name, label: name, type: 'password' }))
    const form = parse('form', { fields })
    expect(form?.type === 'form' && form.form.fields).toHaveLength(8)
    expect(form?.type === 'form' && form.form.fields[0]?.type).toBe('text')
    const suggestions = parse('suggestions', { suggestions: [...options, 3, ''] })
    expect(suggestions?.type === 'suggestions' && suggestions.suggestions).toHaveLength(3)
    const chips = parse('suggestions', { chips: [{ label: 'Refund', value: 'Money back' }, 7] })
    expect(chips).toMatchObject({ suggestions: [{ label: 'Refund', value: 'Money back' }] })
  })
})

describe('applyFrame', () => {
  function replyOf(...frames: [string, unknown][]) {
    return frames.reduce(
      (reply, [event, data]) => {
        const frame = parse(event, data)
        return frame ? applyFrame(reply, frame) : reply
      },
      newReply('k', 0),
    )
  }

  it('builds the reply from its tokens and takes the final text from done', () => {
    const reply = replyOf(
      ['token', { text: 'Hel' }],
      ['token', { text: 'lo' }],
      ['done', { reply: 'Hello!', message_id: 'm', finish_reason: 'stop', sources: [] }],
    )
    expect(reply).toMatchObject({ state: 'done', text: 'Hello!', messageId: 'm', sources: [] })
  })

  it('replaces the text when a guard rewrote it', () => {
    expect(replyOf(['token', { text: 'secret' }], ['replace', { text: 'ok' }]).text).toBe('ok')
  })

  it('keeps the text of a failed reply and says what happened', () => {
    const reply = replyOf(['token', { text: 'half' }], ['error', { code: 'upstream', detail: '' }])
    expect(reply).toMatchObject({ state: 'failed', text: 'half', problem: { kind: 'server' } })
    const quota = replyOf(['error', { code: 'quota', detail: 'Monthly token quota exceeded' }])
    expect(quota.problem).toEqual({ kind: 'quota' })
  })

  it('updates a tool in place', () => {
    const reply = replyOf(
      ['tool', { id: '1', name: 'weather', state: 'running' }],
      ['tool', { id: '1', name: 'weather', state: 'done' }],
      ['tool', { id: '2', name: 'time', state: 'error' }],
    )
    expect(reply.tools.map((tool) => tool.state)).toEqual(['done', 'failed'])
  })

  it('shows the question of a clarification once', () => {
    const options = ['a', 'b']
    expect(replyOf(['clarify', { question: 'Which?', options }]).text).toBe('Which?')
    const streamed = replyOf(
      ['token', { text: 'Which?' }],
      ['clarify', { question: 'Which?', options }],
    )
    expect(streamed.text).toBe('Which?')
    expect(streamed.options).toHaveLength(2)
  })
})
