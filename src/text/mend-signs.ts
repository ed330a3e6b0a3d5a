/** The first sign of each syllable that many signs have, in the order in which the platform sorts signs by their sound. */
const STARTS =
  '哎安凹丷挀扳邦勹卑奔伻屄边灬汃冫癶峬偲参撡冊叉拆辿伥抄车抻阷吃充抽出巛刅吹旾逴呲匆粗汆崔搓咑呆丹当刀灯氐敁刁爹丁东吺厾耑垖吨多妸儿发帆匚飞分丰夫旮侅甘冈皋戈根刯工勾估瓜关光归丨呙咍' +
  '佄夯茠诃亨叿齁乎花怀欢巟灰昏吙丌加戋江艽阶巾坕冂丩凥姢噘军咔开刊忼尻匼空抠扝夸蒯匡亏坤垃来兰啷捞仂雷哩奁良撩毟拎伶溜龙瞜噜驴娈抡啰妈埋嫚牤猫坆椚擝咪宀喵民名摸哞毪拏腉囡孬妮拈鸟捏宁' +
  '妞农奴挪讴妑拍眅乓抛呸匉丕囨剽姘乒钋仆七千呛悄苆亲靑卭丘区奍炔呥穣娆人戎厹邚桵仨三桒掻閪杀山伤弰奢申升尸収书说厶忪凁苏夊孙唆他囼坍汤夲剔天旫厅囲偷凸推吞乇屲弯尢危昷挝乌夕呷仙乡灱些' +
  '心星凶休吁吅削坃丫恹央幺倻一囙应佣优込囦曰晕帀災兂匨傮则囎扎夈枬张佋蜇贞凧之中州朱专妆隹拙孜宗邹租厜嘬'
const HAN = /\p{sc=Han}/u
const FIGURES = '一二三四五六七八九十百千万两几零'
/** Signs that are looked for: a hostile message has many that nobody knows. */
const MOST = 8
const MAX_LENGTH = 200

export interface Signs {
  /** How much a sign is of the traditional script alone (1) or of the simplified one (-1). */
  lean(sign: string): number
  /** Whether a word names nothing. */
  isSmall(word: string): boolean
}

/** A sign of a message with the word that it belongs to. */
interface Placed {
  sign: string
  word: string
}

const collator = new Intl.Collator('zh-u-co-pinyin')
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
const sounds = new Map<string, number>()

/** The syllable that a sign is read with. */
function soundOf(sign: string): number {
  const known = sounds.get(sign)
  if (known !== undefined) return known
  let sound = 0
  let end = STARTS.length
  while (sound < end) {
    const middle = (sound + end) >> 1
    if (collator.compare(STARTS.charAt(middle), sign) > 0) end = middle
    else sound = middle + 1
  }
  sounds.set(sign, sound)
  return sound
}

/**
 * A message with signs as the passages have them: those of the other script that nobody there writes, and one that stands by
 * itself where another with its sound makes a word of the passages ("发步", "发布"). Pure.
 */
export function mendSigns(message: string, said: string, { lean, isSmall }: Signs): string {
  if (message.length > MAX_LENGTH) return message
  const known = new Set(said.match(/\p{sc=Han}/gu))
  const placed = placeSigns(message)
  let sought = 0
  for (const [at, { sign, word }] of placed.entries()) {
    if (!HAN.test(sign)) continue
    const [before, behind] = [placed[at - 1], placed[at + 1]]
    const isSaid = (one: string) =>
      (before !== undefined && !isSmall(before.word) && said.includes(before.sign + one)) ||
      (behind !== undefined && !isSmall(behind.word) && said.includes(one + behind.sign))
    const isStrange = !known.has(sign) && lean(sign) !== 0
    if (!isStrange && (word !== sign || isSmall(word) || isSaid(sign))) continue
    if (++sought > MOST) break
    const alike = [...known].filter((one) => one !== sign && soundOf(one) === soundOf(sign))
    const meant = isStrange ? inOtherScript(alike, lean(sign), { lean, isSaid }) : null
    const mended =
      meant ??
      (word === sign ? alike.find((one) => makesWord(one, before, behind, said)) : undefined)
    if (mended !== undefined) placed[at] = { sign: mended, word: word.replace(sign, mended) }
  }
  return placed.map(({ sign }) => sign).join('')
}

const placeSigns = (message: string): Placed[] =>
  [...segmenter.segment(message)].flatMap(({ segment }) =>
    [...segment].map((sign) => ({ sign, word: segment })),
  )

/** The same sign in the other script: the only one with that sound, or the one that stands so in the passages. */
function inOtherScript(
  alike: readonly string[],
  leaning: number,
  { lean, isSaid }: Pick<Signs, 'lean'> & { isSaid(sign: string): boolean },
): string | null {
  const other = alike.filter((sign) => lean(sign) === -leaning)
  return other.find(isSaid) ?? (other.length === 1 ? (other[0] ?? null) : null)
}

/** Whether a sign and one beside it are a word of the passages. */
function makesWord(
  sign: string,
  before: Placed | undefined,
  behind: Placed | undefined,
  said: string,
): boolean {
  if (FIGURES.includes(sign)) return false
  const words = [before && before.sign + sign, behind && sign + behind.sign]
  return words.some(
    (word) =>
      word !== undefined && said.includes(word) && [...segmenter.segment(word)].length === 1,
  )
}
