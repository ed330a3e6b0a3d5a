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
/** What a font costs whose codes are those of a map that every reader knows. */
const MAP = 2 ** 22
/** What one name in a node's list of pages costs, each time that a page is looked for in it. */
const KID = 16
/** What the arrays and dictionaries of one stream of objects hold, or those of one operand. */
const ELEMENTS = 2 ** 20
/** Bytes of the longest map of codes to glyphs: there are no more codes. */
const GLYPHS = 2 ** 17
/** What a bookmark costs, besides its letters: each becomes an object of many parts, twice. */
const BOOKMARK = 2 ** 15
/** Bytes of subroutines that the outline of one glyph runs through. */
const SUBROUTINES = 8192

/** `src/knowledge/read/read-pdf.ts` knows the words. */
const BUDGET = `
const tooMuch = new Error("too much work");
function spend(xref, work) {
  if ((xref.spent = (xref.spent ?? 0) + Math.max(0, work)) > ${WORK}) throw tooMuch;
}
function weighFont(xref, font) {
  const weigh = (value, each, depth) => {
    const list = xref.fetchIfRef(value);
    if (!Array.isArray(list)) return;
    spend(xref, each * list.length);
    if (depth > 0) for (const inner of list) if (typeof inner == "object") weigh(inner, each, depth - 1);
  };
  const encoding = font.get("Encoding");
  if (encoding?.getRaw) weigh(encoding.getRaw("Differences"), 256, 0);
  weigh(font.getRaw("Widths"), 64, 0);
  for (const key of ["W", "W2"]) weigh(font.getRaw(key), 64, 1);
}
function within(bytes) {
  if (bytes > ${PAGE}) throw tooMuch;
  return bytes;
}
`

/**
 * The PDF parser, printed anew by esbuild, with bounds for what a few bytes ask of it: pages that show the same content over
 * and over, lists that name one page a million times, fonts that share files, maps and lists, states within states, ranges of
 * millions of codes or widths, millions of empty lists, rows of a gigabyte, bookmarks without end, and outlines of glyphs,
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
      spend(xref, pos - this.seen + 8), this.seen = pos, this.parser.made = 0;`,
  )
  put(
    /( {2})(getObj\((\w+) = null\) \{[\s\S]*?\.push\()this\.getObj(\([\s\S]*?\.set\(\w+, )this\.getObj(?=\()/,
    (_, space, head, cipher, middle) =>
      `${space}element(${cipher}) {
    if ((this.made = (this.made ?? 0) + 1) > ${ELEMENTS}) spend(this.xref ?? this, Infinity);
    return this.getObj(${cipher});
  }
  ${head}this.element${middle}this.element`,
  )
  // Streams, and objects that an object stream does not hold, are read anew whenever they are asked for.
  put(
    /(Parser = class \{\s*constructor\(\{ lexer: (\w+), .*\{\s*)([\s\S]*?makeStream\([\s\S]*?(\w+) = \w+\.stream;\s*\w+\.skipToNextLine\(\);)/,
    (_, head, lexer, rest, stream) => `${head}this.from = ${lexer}.stream.pos;
    ${rest}
    spend(this.xref ?? this, 4 * (${stream}.pos - this.from));`,
  )
  put(
    /fetchCompressed\([\s\S]*?(\w+) = this\.fetch\([\s\S]*?bad ObjStm stream.\);/,
    (head, stream) => `${head}
    spend(this, 4 * ${stream}.getBytes().length), ${stream}.reset();`,
  )
  // Each page is looked for from the first one on, through lists that may name one page a million times.
  put(
    /(async getPageDict\([\s\S]*?)(for \(let \w+ = (\w+)\.length - 1;)/,
    (_, head, loop, kids) => `${head}spend(this.xref, ${KID} * ${kids}.length);
      ${loop}`,
  )
  // Fonts may share what they are made of, so it counts for each of them.
  put(
    /preEvaluateFont\((\w+)\) \{[\s\S]*?(?=let \w+ = \1\.get\(.FirstChar.\))/,
    (head, font) => `${head}weighFont(this.xref, ${font});
    `,
  )
  put(
    /(\w+)\.isEmpty(?=\) throw new FormatError\$1\(.FontFile is empty)/,
    (empty, file) => `spend(this.xref, 2 * ${file}.getBytes().length), ${file}.reset(), ${empty}`,
  )
  put(
    / = await parseCMap\(new CMap\(\), new Lexer\((\w+)\), .*?\);/,
    (call, map) => `${call}
      spend(${map}.dict?.xref ?? {}, 4 * ${map}.pos);`,
  )
  put(
    /( {2}async fetchBuiltInCMap\(\w+\) \{\n)/,
    (head) => `${head}    spend(this.xref, ${MAP});
`,
  )
  put(
    /(readCidToGidMap\((\w+), \w+\) \{)([\s\S]*?)\2\.length/,
    (_, head, map, middle) => `${head}
    spend(this.xref, 4 * ${map}.length);${middle}Math.min(${map}.length, ${GLYPHS})`,
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
  // Bookmarks may share a title; where they lead to and their colours no text needs.
  put(
    /(Invalid outline item[\s\S]*?)Catalog\.parseDestDictionary\(.*\);([\s\S]*?)\w+\.getArray\(.C.\)([\s\S]*?)(stringToPDFString\((\w+)\))/,
    (_, head, place, middle, decode, title) =>
      `${head}${place}spend(this.xref, ${BOOKMARK})${middle}(spend(this.xref, 64 * ${title}.length), ${decode})`,
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
