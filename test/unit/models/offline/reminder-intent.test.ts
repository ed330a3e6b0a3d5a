import { describe, expect, it } from 'vitest'
import { LANGUAGE_PACKS } from '../../../../src/language/packs'
import { renderToolResult } from '../../../../src/language/tool-results.lazy'
import { detectIntent } from '../../../../src/text/intents'
import { detectReminder } from '../../../../src/text/reminder-intent'

describe('a plain wish to be reminded', () => {
  it.each([
    ['Remind me in 10 minutes to call Ada.', 'call Ada', 'PT10M'],
    ['please remind me to water the plants in 2 hours', 'water the plants', 'PT2H'],
    ['Remind me in an hour: stand up', 'stand up', 'PT1H'],
    ['Remind me about the invoice in 3 days', 'the invoice', 'P3D'],
    ['Recuérdame en 15 minutos llamar a Ana', 'llamar a Ana', 'PT15M'],
    ['Recuérdame comprar pan dentro de una hora', 'comprar pan', 'PT1H'],
    ['Rappelle-moi dans 20 minutes d’appeler Léa', 'appeler Léa', 'PT20M'],
    ['Rappelez-moi de sortir le chien dans 2 heures !', 'sortir le chien', 'PT2H'],
    ['Напомни мне через 5 минут позвонить Анне', 'позвонить Анне', 'PT5M'],
    ['Напомните через час выпить чай', 'выпить чай', 'PT1H'],
    ['10分钟后提醒我喝水', '喝水', 'PT10M'],
    ['請3小時後提醒我開會', '開會', 'PT3H'],
    ['ذكرني بعد 10 دقائق أن أتصل بأحمد', 'أتصل بأحمد', 'PT10M'],
    ['ذكرني بعد ساعة أن أشرب الماء', 'أشرب الماء', 'PT1H'],
  ])('%s', (message, text, dueAt) => {
    expect(detectReminder(message)).toEqual({ text, dueAt })
  })

  it.each([
    'Remind me',
    'Remind me in a while to call',
    'How do I set a reminder in 10 minutes?',
    'What did you remind me of in 3 days?',
    'Remind me in 10 parsecs to land',
    'When are refunds paid?',
  ])('not: %s', (message) => expect(detectReminder(message)).toBeNull())

  it('is an intent of the offline answerer', () => {
    expect(detectIntent('Remind me in 10 minutes to call Ada')).toEqual({
      tool: 'schedule_reminder',
      place: null,
      text: 'call Ada',
      dueAt: 'PT10M',
    })
    const kept = {
      status: 'scheduled',
      due_at: '2026-11-21T14:10:00+01:00',
      timezone: 'Europe/Paris',
    }
    const said = renderToolResult('schedule_reminder', kept, 'en', LANGUAGE_PACKS.en.says)
    expect(said).toContain('2:10')
    expect(said).toContain('Europe/Paris')
  })
})
