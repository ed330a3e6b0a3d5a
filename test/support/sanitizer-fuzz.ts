import { MeantWords } from '../../src/chat/reply/meant-words'
import { createReplySanitizer } from '../../src/chat/sanitize-reply'
import { randomMarkdown } from './markdown-fuzz'
import { forbidden, RENDERERS } from './renderers'
import { createRandom } from './scripted-replies'

const IMAGE_PREFIXES = ['/v1/me/attachments/', 'https://cdn.tenant.example/assets/']
/** Each piece of every so-manieth reply is rendered, not the whole alone. */
const STREAMED = 20

/** A reply sanitised in pieces as long as `cut` says; `seen` gets what had left by then. */
export function sanitize(
  reply: string,
  cut: () => number,
  seen: (soFar: string) => void = () => {},
): string {
  const sanitizer = createReplySanitizer({ imagePrefixes: IMAGE_PREFIXES })
  let out = ''
  for (let at = 0; at < reply.length; ) {
    const end = at + cut()
    const piece = sanitizer.push(reply.slice(at, end))
    out += piece
    if (piece !== '') seen(out)
    at = end
  }
  return out + sanitizer.end()
}

/** A reply as a turn speaks it: freed of what its model did not mean to say, its layout tags too, then sanitised. */
export function speak(reply: string, cut: () => number): string {
  const words = new MeantWords({ tools: [], titles: [] })
  const sanitizer = createReplySanitizer({ imagePrefixes: IMAGE_PREFIXES })
  let out = ''
  for (let at = 0; at < reply.length; ) {
    const end = at + cut()
    out += sanitizer.push(words.push(reply.slice(at, end)))
    at = end
  }
  return out + sanitizer.push(words.end()) + sanitizer.end()
}

export const whole = (reply: string): string => sanitize(reply, () => Number.POSITIVE_INFINITY)

/** What a renderer would show that it must not. */
export const shown = (markdown: string): string[] =>
  Object.entries(RENDERERS).flatMap(([name, render]) =>
    forbidden(render(markdown), IMAGE_PREFIXES).map((what) => `${name}: ${what}`),
  )

/** What is wrong with the sanitised reply: something is shown, or it depends on the cut. */
function faultOf(reply: string, streamed: boolean, random: () => number): string | null {
  const out = whole(reply)
  const faults = shown(out)
  const soFar = (text: string) => faults.push(...shown(text).map((what) => `so far: ${what}`))
  if (sanitize(reply, () => 1, streamed ? soFar : undefined) !== out) faults.push('cut by one')
  if (sanitize(reply, () => 1 + Math.floor(random() * 9)) !== out) faults.push('cut by chance')
  const spoken = speak(reply, () => Number.POSITIVE_INFINITY)
  faults.push(...shown(spoken).map((what) => `spoken: ${what}`))
  if (speak(reply, () => 1) !== spoken) faults.push('spoken, cut by one')
  return faults[0] ?? null
}

/** The shortest reply that is wrong too when characters of `reply` are left out. */
function minimize(reply: string): string {
  const wrong = (text: string) => faultOf(text, true, createRandom(1)) !== null
  let least = reply
  for (let before = ''; before !== least; ) {
    before = least
    for (let length = least.length >> 1; length > 0; length >>= 1)
      for (let at = 0; at + length <= least.length; ) {
        const shorter = least.slice(0, at) + least.slice(at + length)
        if (wrong(shorter)) least = shorter
        else at++
      }
  }
  return least
}

export interface FuzzResult {
  finds: { reply: string; fault: string; least: string }[]
  /** How many of the first 200 replies would show something as they are. */
  attacks: number
}

/** Sanitises `cases` replies of one seed and looks at what the renderers make of them. */
export function fuzzSanitizer(
  cases: number,
  seed: number,
  progress: (done: number) => void = () => {},
): FuzzResult {
  const random = createRandom(seed)
  const result: FuzzResult = { finds: [], attacks: 0 }
  for (let i = 0; i < cases; i++) {
    const reply = randomMarkdown(random)
    const fault = faultOf(reply, i % STREAMED === 0, random)
    if (fault !== null) result.finds.push({ reply, fault, least: minimize(reply) })
    if (i < 200 && shown(reply).length > 0) result.attacks++
    progress(i + 1)
  }
  return result
}
