import { replaceEach, replacePart } from './replace-part.mjs'

/** Units of work of one document: bytes of content, and what costs more than its bytes by what it costs. */
const WORK = 512 * 2 ** 20
/** Bytes of one page's content, and of a row of what a predictor undoes. */
const PAGE = 32 * 2 ** 20
const ROW = 2 ** 20
/** Graphics states that are kept at once; each has those below it for its prototypes. */
const STATES = 1000
/** Codes that the ranges of one map have; two bytes have half as many. */
const CODES = 2 ** 17
/** Bytes of subroutines that the outline of one glyph runs through. */
const SUBROUTINES = 8192

/** `src/knowledge/read/read-pdf.ts` knows the words. */
const BUDGET = `
const tooMuch = new Error("too much work");
function spend(xref, work) {
  if ((xref.spent = (xref.spent ?? 0) + Math.max(0, work)) > ${WORK}) throw tooMuch;
}
function within(bytes) {
  if (bytes > ${PAGE}) throw tooMuch;
  return bytes;
}
`

/**
 * The PDF parser, printed anew by esbuild, with bounds for what a few bytes ask of it: pages that show the same content over
 * and over, states within states, ranges of millions of codes or widths, rows of a gigabyte, and outlines of glyphs,
 * which no text needs. A document that passes its budget ends with the error `too much work`.
 */
export function bounded(source) {
  let bound = source + BUDGET
  const put = (part, instead) => {
    bound = replacePart(bound, part, instead)
  }
  // Every token of a content stream counts for its bytes and eight more.
  put(
    /(class EvaluatorPreprocessor \{[\s\S]*?this\._numInvalidPathOPS = 0)/,
    (head) => `${head}, this.seen = this.parser.lexer.stream.pos`,
  )
  put(
    /(class EvaluatorPreprocessor \{[\s\S]*?= this\.parser\.getObj\(\);)/,
    (head) => `${head}
      const { lexer: { stream: { pos } }, xref } = this.parser;
      spend(xref, pos - this.seen + 8), this.seen = pos;`,
  )
  put(
    /\.catch\(\((\w+)\) => \{\s*if \(!\(\1 instanceof AbortException\$1\)\) \{\s*if \(this\.options\.ignoreErrors(?=\) \{\s*warn\$1\(`getTextContent )/,
    (head, error) => `${head} && ${error} !== tooMuch`,
  )
  put(
    /(StateManager = class \{[\s\S]*?save\(\) \{)/,
    (head) => `${head}
    if (this.stateStack.length > ${STATES}) throw tooMuch;`,
  )
  put(
    /(StreamsSequenceStream = class extends DecodeStream \{[\s\S]*?super\()(\w+)(\)[\s\S]*?\w+ = this\.bufferLength, \w+ = )(\w+ \+ \w+\.length);/,
    (_, head, sum, middle, next) => `${head}within(${sum})${middle}within(${next});`,
  )
  // All at once they would be unpacked before the first is looked at.
  put(
    /(\w+\.push\()(\w+\.asyncGetBytes\(\)\.then\(\((\w+)\) => \{)(?=\s*\3 && \((\w+)\[)/,
    (_, push, call, bytes, all) =>
      `${push}await ${call} within(${all}.size = (${all}.size ?? 0) + (${bytes}?.length ?? 0));`,
  )
  put(
    /return (this\.pixBytes = .*?, this\.rowBytes = .*?), this;/,
    (_, rows) => `if (${rows}, this.rowBytes > ${ROW}) throw tooMuch;
    return this;`,
  )
  bound = replaceEach(
    bound,
    /if \((\w+) - (\w+) > \w+\)(?= throw Error\(`map(?:Cid|Bf)Range - )/g,
    (_, last, first) =>
      `if ((this.mapped = (this.mapped ?? 0) + Math.max(0, ${last} - ${first})) > ${CODES})`,
  )
  // A list as long as the largest code takes memory for each below it.
  put(
    /(async readToUnicode\([\s\S]*?)Array\((\w+)\.length\);/,
    (_, head, map) => `${head}[];
      spend(this.xref, 256 * (${map}.mapped ?? 0));`,
  )
  put(/ {2}extractWidths\([\s\S]*?\n {2}\}\n/, (method) =>
    replaceEach(
      method,
      /for \(let (\w+) = (\w+)(?=; \1 <= (\w+); \1\+\+\))/g,
      (_, code, first, last) =>
        `for (let ${code} = (spend(this.xref, 16 * (${last} - ${first})), ${first})`,
    ),
  )
  put(
    /(Type1CharString = class \{[\s\S]*?case 10:[\s\S]*?\w+ = )(this\.convert\((\w+\[\w+\]))/,
    (_, head, call, subroutine) =>
      `${head}(this.called = (this.called ?? 0) + ${subroutine}.length) > ${SUBROUTINES} || ${call}`,
  )
  // Which glyph a code shows, and how it is drawn, says nothing about what it means.
  put(
    /( {2}parseCharStrings\(\{ charStrings: (\w+), .*\{\n)[\s\S]*?\n {2}\}\n/,
    (_, head, glyphs) =>
      `${head}    return { charStrings: ${glyphs}, seacs: [], widths: [] };\n  }\n`,
  )
  put(
    /( {4}function readCmapTable\(.*\{\n)[\s\S]*?\n {4}\}\n/,
    (_, head) =>
      `${head}      return { platformId: -1, encodingId: -1, mappings: [], hasShortCmap: false };\n    }\n`,
  )
  return bound
}
