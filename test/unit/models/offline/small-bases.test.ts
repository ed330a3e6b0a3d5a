import { describe, expect, it } from 'vitest'
import type { IdfTable } from '../../../../src/knowledge/types'
import { asksForPrice } from '../../../../src/models/offline/answer-forms'
import { extractAnswer } from '../../../../src/models/offline/extract-answer'
import { passage } from '../../../support/passages'

/** Of a base of a few documents. */
const SMALL: IdfTable = { common: {}, rest: 1.2 }
const answer = (question: string, text: string) =>
  extractAnswer(question, [passage(1, text)], SMALL, 'en')?.replaceAll(
    /\s*\[(\d+)(?:\|[^\]]*)?\]/g,
    ' [$1]',
  )

describe('answers from a base of a few documents', () => {
  it('says what a thing costs to who asks for it, not what else is said of it', () => {
    const text =
      '# Prices\n\nThe cabin has four beds and a stove, and its roof was made anew last year.\n\nCabin per night: €65.\n\n- Cabin: €65\n- Tent: €14'
    expect(answer('how much is the cabin', text)).toMatch(/^Cabin[^.]*: €65\.? \[1\]$/)
  })

  it('says no more where one sentence is surely the answer', () => {
    const text =
      '# Hall\n\nKids may visit the hall on Sundays. The hall is heated.\n\n# Tickets\n\n- Kids: €4\n- Adults: €9\n\nThe hall is painted each spring.'
    expect(answer('how much is a ticket for kids', text)).toBe('Kids: €4 [1]')
  })

  it('says the sentence behind one that is not sure', () => {
    const text =
      '# Keys\n\nA key that broke is replaced at the desk. A new card costs five euros. Lockers need no key.\n\n# Cards\n\nCards are printed on Mondays. Each card shows your name.'
    expect(answer('my key card broke', text)).toBe(
      'A key that broke is replaced at the desk. [1] A new card costs five euros. [1]',
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

  it('reads what a paragraph begins with as its heading', () => {
    const text =
      'Golf. Guests get a quarter off green fees at the links.\n\nBoats. Trips leave the harbour at noon. Tell us a day ahead.'
    expect(answer('what about golf', text)).toBe(
      'Guests get a quarter off green fees at the links. [1]',
    )
    expect(answer('when do the boats leave', text)).toMatch(
      /^Trips leave the harbour at noon\. \[1\]/,
    )
  })

  it('says a short sentence in front of others that heads nothing', () => {
    const text = '# Where is my data kept?\n\nIn Frankfurt. Backups are made every night.'
    expect(answer('where is my data kept', text)).toContain('In Frankfurt.')
    const contract = 'No fixed contract. Tell us when you leave.'
    expect(answer('is there a contract', contract)).toBe('No fixed contract. [1]')
  })

  it('asks for no price with a French "combien de"', () => {
    expect(['combien de jours', "combien d'articles"].map(asksForPrice)).toEqual([false, false])
    const prices = ['c combien la livraison', 'combien ça coûte', 'les tarifs', 'cuánto cuestan']
    expect(prices.map(asksForPrice)).toEqual([true, true, true, true])
  })

  it('is of what a message tells where what it asks to do is nowhere', () => {
    const text =
      '# Streets\n\nA lamp that is out is mended within three days: tell us its number, 555 2015. The streets are swept on Mondays.'
    expect(answer('the lamp in our street is out, where do i phone', text)).toMatch(/^A lamp/)
    expect(answer('the lamp in our street is out, do you sell ladders', text)).toBeUndefined()
    expect(answer('the lamp in our street is out, what is a ladder', text)).toBeUndefined()
  })

  it('still says nothing where the rare words of the question are nowhere', () => {
    const text = '# Hire\n\nBikes are hired by the day. A helmet comes with each bike.'
    expect(answer('do you rent out snowshoes for the glacier', text)).toBeUndefined()
  })
})
