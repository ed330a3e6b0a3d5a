/** What prepares words in Latin script: a Snowball algorithm, or `prefix` where a language has none. */
export const LATIN_MODES = [
  'english',
  'spanish',
  'french',
  'german',
  'portuguese',
  'italian',
  'dutch',
  'swedish',
  'norwegian',
  'danish',
  'finnish',
  'hungarian',
  'romanian',
  'turkish',
  'catalan',
  'czech',
  'prefix',
] as const
export type LatinMode = (typeof LATIN_MODES)[number]

/** Function words, without accents; each language also lists what tells it from its neighbours. */
const FUNCTION_WORDS: [LatinMode, string][] = [
  [
    'english',
    'the of and to in is was for that with on as are by this be at from it an or which were have has not what how who when where why did does do you your can will would should if my we they there their its been but about into i me',
  ],
  [
    'spanish',
    'el la los las de del y que en un una es por con para se al lo como su sus mas pero fue son esta este entre cuando tambien muy sin sobre cual quien donde cuanto cuantos hasta ser ha era sido o yo mi me puedo',
  ],
  [
    'french',
    'le la les de des du et est un une dans entre que qui pour par au aux sur ce cette pas plus ne se sont il elle nous vous avec ou quel quelle comment combien etre ont mais leur ses son sa je mon ma cet',
  ],
  [
    'german',
    'der die das und ist in den von zu mit des dem ein eine einer eines einem nicht auf fur im sich auch wird war als an es sie er ich wie was wer wann welche wurde oder aus bei nach kann uber durch sind werden hat haben mein meine',
  ],
  [
    'portuguese',
    'o a os as de do da dos das e que em um uma no na nos nas por para com nao se ao mais foi como seu sua ou quando muito pelo pela qual quem sao tem entre sobre ate voce eu meu minha isso onde',
  ],
  [
    'italian',
    'il lo la i gli le di del della dei delle e che in un una per con non si da al nel nella sono come piu anche ma ha era dal alla o quale chi quando dove cosa essere questo questa degli mi mio mia sul sulla',
  ],
  [
    'dutch',
    'de het een van en in is dat op te zijn met voor niet die er aan ook als door naar bij uit wordt werd om maar hoe wat wie wanneer welke heeft kan deze dit nog over tot mijn ik je u hebben waar',
  ],
  [
    'swedish',
    'och att det i en ett som pa ar av for med den till inte om var har de fran kan eller vid han hon jag vi sig vad hur nar vilken efter under min mitt du ska blir mycket',
  ],
  [
    'norwegian',
    'og i det er en et til som pa av for med at ikke den var har de fra kan eller ved han hun jeg vi seg hva hvordan nar hvilken etter om min mitt du skal blir ble noe mye',
  ],
  [
    'danish',
    'og i det er en et til som pa af for med at ikke den var har de fra kan eller ved han hun jeg vi sig hvad hvordan nar hvilken efter om min mit du skal bliver blev noget meget',
  ],
  [
    'finnish',
    'ja on ei se etta oli han kuin myos mutta joka tai ovat ole mika mita missa milloin kuka miten minun kun jos voi siita sen tama taman ovat joita joka jotka kanssa mukaan sekä vain niin',
  ],
  [
    'hungarian',
    'a az es hogy nem is egy van volt meg ha csak mint de ez azt vagy ki mi mikor hol hogyan melyik el kell lehet szerint utan mar ezt amely nagyon sem',
  ],
  [
    'romanian',
    'si in de la cu pe un o este care nu din sa se mai pentru ca au fost sunt ce al ale lui prin sau cum cine cand unde cate dupa intre acest aceasta fi am eu imi',
  ],
  [
    'turkish',
    've bir bu ne kim hangi icin kac olarak ile da de mi mu cok daha sonra gibi kadar en olan oldugu nasil neden nerede zaman var degil ya veya ama her tarafindan ise edildi',
  ],
  [
    'catalan',
    'el la els les de del dels i que en un una es per amb no al als com mes pero va son aquest aquesta ha seu seva quan on quin quina tambe molt o fins esta pels',
  ],
  [
    'czech',
    'a v na je se ze s z do to o i jako pro by za k po ale byl byla bylo jsou jeho od tak nebo ktery ktera ktere kdy kde kdo co jak pri podle take jeste u',
  ],
  [
    'prefix',
    'i w na z do sie nie to jest ze o jak po od za przez dla oraz byl byla co kto kiedy gdzie ktory ktora ktore jego ' +
      'dan yang di ke dari untuk dengan pada adalah ini itu tidak dalam akan apa siapa kapan bagaimana oleh atau juga ' +
      'va cua la co cho cac khong nguoi trong nhung duoc mot voi nay da den khi nao gi ' +
      'u je su se da na za sto kako gdje gde koji koja koje nije bio kada a ili od sa iz',
  ],
]

const SHORTEST = 2

/** Of each word the modes that have it, by their places. */
const VOTES = votesOf(FUNCTION_WORDS)
/** Most words of a text are longer than any function word, and need no look-up. */
const LONGEST = Math.max(...[...VOTES.keys()].map((word) => word.length))

function votesOf(lists: typeof FUNCTION_WORDS): Map<string, number[]> {
  const votes = new Map<string, number[]>()
  for (const [mode, words] of lists) {
    for (const word of new Set(words.split(' '))) {
      // Single letters are symbols and initials as often as words.
      if (word.length >= SHORTEST) {
        votes.set(word, [...(votes.get(word) ?? []), LATIN_MODES.indexOf(mode)])
      }
    }
  }
  return votes
}

/** Whether a folded word is a function word of one of the languages, or too short to mean much. */
export function isFunctionWord(word: string): boolean {
  return VOTES.has(word) || (word.length < 3 && !/\p{N}/u.test(word))
}

const WORDS_LOOKED_AT = 600
const LEAST_VOTES = 1.5

/**
 * The mode whose function words are the most frequent among the text's Latin words; English when there are hardly any,
 * as in names, tables and code. Takes text without accents.
 */
export function detectLatinMode(folded: string): LatinMode {
  const votes = latinVotes(folded)
  let best: LatinMode = 'english'
  let most = Math.max(votes.get('english') ?? 0, LEAST_VOTES)
  for (const [mode, count] of votes) {
    if (count > most) {
      best = mode
      most = count
    }
  }
  return best
}

/** How much each mode's function words make of a text's Latin words. Takes text without accents. */
export function latinVotes(folded: string): Map<LatinMode, number> {
  const counts = new Float64Array(LATIN_MODES.length)
  /** In the order of their first vote: of two with as many the first is taken. */
  const found: number[] = []
  const words = folded.match(/[a-zøæœßđłı]+/g) ?? []
  const end = Math.min(words.length, WORDS_LOOKED_AT)
  for (let i = 0; i < end; i++) {
    const word = words[i] ?? ''
    if (word.length < SHORTEST || word.length > LONGEST) continue
    const modes = VOTES.get(word)
    if (modes === undefined) continue
    // A word that many languages share says little.
    const share = 1 / modes.length
    for (const mode of modes) {
      const before = counts[mode] ?? 0
      if (before === 0) found.push(mode)
      counts[mode] = before + share
    }
  }
  return new Map(found.map((mode) => [LATIN_MODES[mode] ?? 'english', counts[mode] ?? 0]))
}
