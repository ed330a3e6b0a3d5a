/** Adobe's collections of East Asian glyphs (CIDs): most come in the order of a national standard, which the platform decodes. */
interface Collection {
  encoding: string
  /** Behind which the glyphs stand that are as wide as half a sign, from "!" on. */
  halfWidth: number
  /** The least second byte of the standard; the platform's encoding may have signs before it. */
  trail: number
  /** First and last glyph of each run, and the code of its first sign. */
  runs: string
}

const COLLECTIONS: Record<string, Collection> = {
  GB1: {
    encoding: 'gbk',
    halfWidth: 813,
    trail: 0xa1,
    runs: '96-189 a1a1,190-239 a2b1,240-575 a2e5,600-736 a6f4,738-813 a9a4,940-7702 b0a1',
  },
  CNS1: {
    encoding: 'big5',
    halfWidth: 13648,
    trail: 0x40,
    runs:
      '99-102 a140,105-112 a146,114-123 a14f,128-227 a15d,229-246 a1e4,264-317 a248,365-502 a2cf,595-2006 a440,' +
      '2007-2430 ad40,2432-4307 afd0,4309-4695 bbc8,4696-5220 be53,5222-5410 c1ab,5411-5494 c2cc,5496-5549 c361,' +
      '5552-5641 c3bb,5642-6005 c457,6006-6038 c94b,6040-6087 c96c,6088-6133 c9bf,6135-6301 c9ed,6302-8141 caf8,' +
      '8143-8250 d6cd,8251-8787 d77b,8789-8888 dae0,8890-9288 dba7,9289-10925 ddfd,10927-11072 e8a3,11074-11360 e976,' +
      '11362-11477 eb5b,11478-11614 ebf2,11615-11718 ecdf,11720-11941 edaa,11942-12139 eeec,12140-12221 f057,' +
      '12222-12307 f0cc,12317-12469 f16c,12470-12525 f269,12527-12639 f2c3,12641-12782 f375,12784-12828 f466,' +
      '12829-12899 f4b6,12901-13094 f4fd,13095-13584 f664,13586-13628 f977',
  },
  Japan1: {
    encoding: 'shift_jis',
    halfWidth: 231,
    trail: 0x40,
    runs: '633-664 8140,674-692 8169,694-746 817d,770-1124 81e8,1125-7477 889f,7555-7574 8740,8359-8421 fa5c,8637-8685 fbb8',
  },
  Korea1: {
    encoding: 'euc-kr',
    halfWidth: 8094,
    trail: 0xa1,
    runs: '101-113 a1a1,114-175 a1ae,178-199 a1ee,228-408 a2c2,409-3576 a4d5',
  },
}

/** By what a map's name begins with; what it says of codes is in the last group. */
const MAPS: [RegExp, keyof typeof COLLECTIONS, string][] = [
  [/^UniGB-(?:UCS2|UTF16)/, 'GB1', 'utf-16be'],
  [/^UniCNS-(?:UCS2|UTF16)/, 'CNS1', 'utf-16be'],
  [/^UniJIS\w*-(?:UCS2|UTF16)/, 'Japan1', 'utf-16be'],
  [/^UniKS-(?:UCS2|UTF16)/, 'Korea1', 'utf-16be'],
  [/^GB(?:K|Kp|K2K|pc)?-/, 'GB1', 'gbk'],
  [/^(?:B5pc|ETen|ETenms|HKscs)-/, 'CNS1', 'big5'],
  [/RKSJ/, 'Japan1', 'shift_jis'],
  [/^(?:EUC-)?[HV]$/, 'Japan1', 'euc-jp'],
  [/^KSC(?:ms|pc)?-(?!Johab)/, 'Korea1', 'euc-kr'],
]
/** Those whose Latin letters are half as wide as a sign. */
const HALF_WIDTH = /^(?:90ms-|Ext-|EUC-|GBK?-|ETen-|KSC-|[HV]$)|HW/

/** Numbers that no collection has, for signs of the platform's encoding that stand in no run. */
const FREE = 31_000
/** Half-width Katakana: one byte in Shift JIS. */
const KATAKANA = { glyph: 327, first: 0xa1, last: 0xdf, sign: 0xff61 }

interface Glyphs {
  signs: Map<number, string>
  glyphs: Map<string, number>
}

/**
 * What a PDF may name without holding it: which glyph a code shows, and which sign that glyph is. Without an answer all text
 * in such a font is lost.
 */
export class CidMaps {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const meanings = /^Adobe-(\w+)-UCS2$/.exec(filename)?.[1]
    const map = MAPS.find(([names]) => names.test(filename))
    const text = meanings ? writeMeanings(meanings) : map && writeCodes(filename, map)
    if (!text) throw new Error(`no map is named ${filename}`)
    return new TextEncoder().encode(text)
  }
}

function writeMeanings(name: string): string | undefined {
  const collection = COLLECTIONS[name]
  if (!collection) return
  const { signs } = glyphsOf(collection)
  const lines = [...signs].map(([glyph, sign]) => `${hex(glyph)}${hex(sign.charCodeAt(0))}`)
  return `beginbfchar ${lines.join('\n')} endbfchar`
}

function writeCodes(name: string, [, of, encoding]: (typeof MAPS)[number]): string | undefined {
  const collection = COLLECTIONS[of]
  if (!collection) return
  const { glyphs } = glyphsOf(collection)
  const unicode = encoding === 'utf-16be'
  // What is called just "H" has the seven lower bits of each byte.
  const mask = /^[HV]$/.test(name) ? 0x7f7f : 0xffff
  const codes = unicode
    ? [...glyphs].map(([sign, glyph]): [number, number] => [sign.charCodeAt(0), glyph])
    : signsOf(encoding).flatMap(([code, sign]): [number, number][] => {
        const glyph = glyphs.get(sign)
        return glyph === undefined ? [] : [[code & mask, glyph]]
      })
  const latin = HALF_WIDTH.test(name) ? collection.halfWidth : 1
  const width = unicode ? 4 : 2
  const ranges = [
    `${hex(0x20, width)}${hex(0x20, width)}1`,
    `${hex(0x21, width)}${hex(0x7e, width)}${latin + 1}`,
  ]
  let spaces = unicode ? '<0000><ffff>' : mask === 0x7f7f ? '<2121><7e7e>' : '<00><80><8140><fefe>'
  if (encoding === 'shift_jis') {
    const { glyph, first, last } = KATAKANA
    spaces += '<a0><df>'
    ranges.push(`${hex(first, 2)}${hex(last, 2)}${glyph}`)
  }
  return `/WMode ${name.endsWith('V') ? 1 : 0} def
begincodespacerange ${spaces} endcodespacerange
begincidchar ${codes.map(([code, glyph]) => `${hex(code)}${glyph}`).join('\n')} endcidchar
begincidrange ${ranges.join('\n')} endcidrange`
}

function glyphsOf({ encoding, halfWidth, trail, runs }: Collection): Glyphs {
  const signs = new Map<number, string>()
  for (let letter = 0x20; letter < 0x7f; letter++) {
    for (const first of [halfWidth, 1])
      signs.set(first + letter - 0x20, String.fromCharCode(letter))
  }
  if (encoding === 'shift_jis') {
    const { glyph, first, last, sign } = KATAKANA
    for (let at = 0; at <= last - first; at++) signs.set(glyph + at, String.fromCharCode(sign + at))
  }
  const all = signsOf(encoding)
  const standard = all.filter(([code]) => code % 256 >= trail)
  for (const [, from, to, code] of runs.matchAll(/(\d+)-(\d+) (\w+)/g)) {
    const start = standard.findIndex(([found]) => found === Number.parseInt(code ?? '', 16))
    for (let glyph = Number(from); glyph <= Number(to); glyph++) {
      const sign = standard[start + glyph - Number(from)]?.[1]
      if (sign) signs.set(glyph, sign)
    }
  }
  const glyphs = new Map([...signs].map(([glyph, sign]) => [sign, glyph]))
  all.forEach(([, sign], at) => {
    if (glyphs.has(sign)) return
    glyphs.set(sign, FREE + at)
    signs.set(FREE + at, sign)
  })
  return { signs, glyphs }
}

/** The signs of two bytes, with their codes, in the order of these. */
function signsOf(encoding: string): [number, string][] {
  const decoder = new TextDecoder(encoding)
  const signs: [number, string][] = []
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    const row: number[] = []
    for (let trail = 0x40; trail <= 0xfe; trail++) row.push(lead, trail, 0x0a)
    decoder
      .decode(new Uint8Array(row))
      .split('\n')
      .forEach((sign, at) => {
        if (/^[^\ufffd\ue000-\uf8ff]$/.test(sign)) signs.push([lead * 256 + 0x40 + at, sign])
      })
  }
  return signs
}

function hex(number: number, digits = 4): string {
  return `<${number.toString(16).padStart(digits, '0')}>`
}
