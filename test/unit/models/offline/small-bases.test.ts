import { describe, expect, it } from 'vitest'
import type { IdfTable } from '../../../../src/knowledge/types'
import { extractAnswer } from '../../../../src/models/offline/extract-answer'
import { passage } from '../../../support/passages'

/** Of a base of a few documents. */
const SMALL: IdfTable = { common: {}, rest: 1.2 }
const answer = (question: string, text: string, more: string[] = []) =>
  extractAnswer(
    question,
    [text, ...more].map((one, at) => passage(at + 1, one)),
    SMALL,
    'en',
  )?.replaceAll(/\s*\[(\d+)(?:\|[^\]]*)?\]/g, ' [$1]')

describe('answers from a base of a few documents', () => {
  it('says with a sentence that only names the trouble the one behind it, which tells what it means', () => {
    const text =
      '# Washing machine\n\nThe lamp beside the door blinks yellow. The filter is full and must be rinsed. Programs can be changed during the first minute. A wash takes an hour.'
    expect(answer('lamp on the door blinks yellow', text)).toContain('The filter is full')
  })

  it('says no more where one sentence is surely the answer', () => {
    const text =
      '# Sauna\n\nThe sauna is open from 10:00 to 21:00. Bring two towels. Children are let in on Sundays.'
    expect(answer('when is the sauna open', text)).toBe(
      'The sauna is open from 10:00 to 21:00. [1]',
    )
  })

  it('never says more than three sentences, and no heading', () => {
    const text = ['Bread', 'Cakes', 'Rolls', 'Buns']
      .map((one) => `## ${one}\n\nOrder ${one.toLowerCase()} by noon. ${one} are baked at night.`)
      .join('\n\n')
    const said = answer('until when can I order', text) ?? ''
    expect(said.match(/\[1\]/g)?.length).toBeLessThanOrEqual(3)
    expect(said).not.toContain('##')
  })

  it('takes a word that the segmenter made up in Chinese for no reason to say nothing', () => {
    const text = '# 理赔\n\n包裹丢失，最多赔偿三百元。\n\n投诉请打服务电话。'
    expect(answer('包裹丢失了，能申请理陪吗', text)).toContain('最多赔偿三百元')
  })

  it('still says nothing where a rare word of the question is nowhere', () => {
    const text = '# Hire\n\nBikes are hired by the day. A helmet comes with each bike.'
    expect(answer('do you hire snowshoes', text)).toBeUndefined()
  })
})
