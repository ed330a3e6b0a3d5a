/** Filler passages of any number: a chain of the words of the project's own guides. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DIMENSIONS, randomOf, TOPICS, vectorOf } from './workload.ts'

const GUIDES = resolve(import.meta.dirname, '../demo/help-desk/en')
const PASSAGE_CHARS = 800
const SEED = 20261121

/** `count` passages with their vectors; the topics' come first. */
export function makeCorpus(count) {
  const random = randomOf(SEED)
  const next = readChain()
  const words = [...next.keys()]
  const pick = (list) => list[Math.floor(random() * list.length)]
  const texts = TOPICS.map(({ text }) => text)
  while (texts.length < count) {
    let text = ''
    let word = pick(words)
    while (text.length < PASSAGE_CHARS) {
      text += `${text === '' ? '' : ' '}${word}`
      // A number now and then, so that the vocabulary grows with the base as real ones do.
      if (random() < 0.02) text += ` ${Math.floor(random() * 1e6)}`
      word = pick(next.get(word) ?? words)
    }
    texts.push(`${text}.`)
  }
  const vectors = texts.map((_, i) => (i < TOPICS.length ? vectorOf(i) : randomVector(random)))
  return { texts: texts.slice(0, count), vectors: vectors.slice(0, count) }
}

function randomVector(random) {
  const raw = Array.from({ length: DIMENSIONS }, () => random() - 0.5)
  const length = Math.hypot(...raw)
  return raw.map((value) => Math.round((value / length) * 1e4) / 1e4)
}

/** Every word of the guides with the words that followed it. Comments are none: what is made of them would be read as more ways to ask. */
function readChain() {
  const next = new Map()
  for (const file of readdirSync(GUIDES)
    .filter((name) => name.endsWith('.md'))
    .sort()) {
    const words = readFileSync(join(GUIDES, file), 'utf8')
      .replaceAll(/<!--[\s\S]*?-->/g, '')
      .replaceAll(/[`*#|>[\]()]/g, ' ')
      .split(/\s+/)
      .filter(Boolean)
    for (let i = 0; i + 1 < words.length; i++) {
      const followers = next.get(words[i]) ?? []
      followers.push(words[i + 1])
      next.set(words[i], followers)
    }
  }
  return next
}
