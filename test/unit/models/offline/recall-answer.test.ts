import { describe, expect, it } from 'vitest'
import { recallAnswer } from '../../../../src/models/offline/recall-answer'

const lines = (...contents: string[]) => contents.map((text) => `(fact, 2026-11-21) ${text}`)
const EN = lines('My name is Ada.', 'I live in Lima.', 'I am allergic to peanuts.')

describe('recallAnswer', () => {
  it.each([
    ['What is my name?', EN, ['My name is Ada.']],
    ['where do I live', EN, ['I live in Lima.']],
    ['Am I allergic to peanuts?', EN, ['I am allergic to peanuts.']],
    ['¿Cómo me llamo?', lines('Me llamo Inés.', 'Vivo en Quito.'), ['Me llamo Inés.']],
    ['¿Dónde vivo?', lines('Me llamo Inés.', 'Vivo en Quito.'), ['Vivo en Quito.']],
    ['我叫什么名字？', lines('我叫小明。', '我住在北京。'), ['我叫小明。']],
    ['我住在哪里？', lines('我叫小明。', '我住在北京。'), ['我住在北京。']],
    ['Как меня зовут?', lines('Меня зовут Анна.', 'Я живу в Москве.'), ['Меня зовут Анна.']],
    ['Где я живу?', lines('Меня зовут Анна.', 'Я живу в Москве.'), ['Я живу в Москве.']],
    ['ما اسمي؟', lines('اسمي ليلى.', 'أعيش في عمّان.'), ['اسمي ليلى.']],
    ['Où est-ce que je vis ?', lines('Je vis à Lyon.', 'Je préfère le thé.'), ['Je vis à Lyon.']],
  ])('%s', (question, memories, wanted) => {
    expect(recallAnswer(question, memories)).toEqual(wanted)
  })

  it.each([
    'What do you know about me?',
    'Who am I?',
    '¿Qué sabes de mí?',
    'Que savez-vous de moi ?',
    'Что ты знаешь обо мне?',
    '你知道关于我的什么？',
    'ماذا تعرف عني؟',
  ])('%s: all of it', (question) => {
    expect(recallAnswer(question, EN)).toEqual([
      'My name is Ada.',
      'I live in Lima.',
      'I am allergic to peanuts.',
    ])
  })

  it.each([
    ['When are refunds paid?', EN],
    ['How do I reset my password?', EN],
    ['What is my shoe size?', EN],
    ['I live in Lima now.', EN],
    ['What is my name?', []],
  ])('%s: nothing', (question, memories) => {
    expect(recallAnswer(question, memories)).toBeNull()
  })
})
