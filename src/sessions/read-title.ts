import { stripUnseen } from '../text/neutralise'

/** Signs that models put around a title or before it, in whichever order. */
const EDGE = /^[\s"'“”«»„*_#`>-]+|(?<![\s"'“”«»*_`])[\s"'“”«»*_`]+$/gu
const LABEL = /^(?:title|titel|titre|título|заголовок|название|标题|標題|العنوان)\s*[:：]/iu

/** The title that a model was asked for: the first line that is no introduction to it, bare. */
export function readTitle(text: string): string {
  const lines = stripUnseen(text)
    .split('\n')
    .map((line) => bare(bare(line).replace(LABEL, '')))
    .filter((line) => line !== '')
  const title = lines.find((line) => !/[:：]$/u.test(line)) ?? lines[0] ?? ''
  return title.replaceAll(/\s+/gu, ' ').replace(/[.。:：]$/u, '')
}

const bare = (line: string) => line.replaceAll(EDGE, '')
