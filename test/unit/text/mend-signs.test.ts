import { beforeAll, describe, expect, it } from 'vitest'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { mendTypos } from '../../../src/text/mend-typos'
import { readerFor } from '../../../src/text/question-reader'

const SIMPLIFIED =
  '三岁以下带小孩不要买票。智能体在这里发布。游泳池在二楼，毛巾收费。怀孕了请告诉教练。可以买九张。'
const TRADITIONAL = '可以帶狗上車。如何建立金鑰。車程兩小時。'

const mend = (message: string, said: string) =>
  mendTypos(
    message,
    () => [],
    readerFor(message),
    () => said,
  )

describe('a Chinese message', () => {
  beforeAll(() => loadThesaurus())

  it.each([
    ['智能体怎么发步', '智能体怎么发布', SIMPLIFIED],
    ['哪里有游泳迟', '哪里有游泳池', SIMPLIFIED],
    ['毛斤要自己带吗', '毛巾要自己带吗', SIMPLIFIED],
    ['怀运了怎么办', '怀孕了怎么办', SIMPLIFIED],
    ['帶小孩要買票嗎', '带小孩要买票嗎', SIMPLIFIED],
    ['可以带狗上车吗', '可以帶狗上車吗', TRADITIONAL],
    ['車成多久', '車程多久', TRADITIONAL],
  ])('has the signs that its passages have: %s', (message, meant, said) => {
    expect(mend(message, said)).toBe(meant)
  })

  it.each([
    ['another word with the sound', '发部队文件', SIMPLIFIED],
    ['a figure', '可以买酒吗', SIMPLIFIED],
    ['what the passages have', '毛巾收费吗', SIMPLIFIED],
    ['words of nobody', '怎么退款', SIMPLIFIED],
    ['Japanese', '毛斤はありますか', SIMPLIFIED],
  ])('keeps %s', (_name, message, said) => {
    expect(mend(message, said)).toBe(message)
  })
})
