const MAX_CHARS = 200
const DIGIT = /\p{Nd}/u
const ENDS_AS_QUESTION = /[?？؟]["'”’»)\]\s]*$/u

/** "The sources do not say": an honest gap needs no source. */
const NOT_FOUND = [
  /\b(?:do(?:es)? not|don[’']t|doesn[’']t|did not|didn[’']t|could not|couldn[’']t|cannot|can[’']t|no|not|nothing|neither)\b.{0,80}\b(?:sources?|documents?|documentation|information|knowledge base|passages?|details?)\b/iu,
  /\b(?:sources?|documents?|documentation|information|knowledge base|passages?)\b.{0,60}\b(?:do(?:es)? not|don[’']t|doesn[’']t|no|not|nothing)\b/iu,
  /\bI (?:do not|don[’']t) know\b|\bI(?:[’']m| am) not (?:sure|certain)\b/iu,
  /\bno (?:he |se |hay |encuentr|encontr|dispon|consta|aparec|indic|menciona|contien).{0,80}(?:fuente|documento|documentaci|informaci|base de conocimiento|dato)/iu,
  /(?:fuente|documento|documentaci|informaci|base de conocimiento).{0,60}\bno (?:lo |se |la )?(?:indic|menciona|dice|contien|incluy|especific|recog)/iu,
  /\b(?:ne|n[’'])\s?.{0,30}\b(?:pas|rien|aucun\w*)\b.{0,80}(?:source|document|information|base de connaissance)/iu,
  /(?:source|document|information|base de connaissance).{0,60}\b(?:ne|n[’'])\s?.{0,30}\b(?:pas|rien|aucun\w*)\b/iu,
  /(?:не (?:наш|указан|содерж|упомина|говор|сказан|нашл)|нет\s).{0,80}(?:источник|документ|информац|сведени|баз\p{L}* знаний)/iu,
  /(?:источник|документ|информац|сведени|баз\p{L}* знаний).{0,60}(?:не (?:указан|содерж|упомина|говор|сказан|наш)|нет(?!\p{L}))/iu,
  /(?:来源|來源|文档|文件|资料|資料|知识库|知識庫|信息|資訊).{0,20}(?:没有|沒有|未|并未|並未|无|無|不包含)/u,
  /(?:没有|沒有|未能|未|无法|無法|找不到).{0,30}(?:来源|來源|文档|文件|资料|資料|知识库|知識庫|信息|資訊|相关|相關)/u,
  /(?:لا|لم|ليس|ليست).{0,80}(?:المصادر|المصدر|الوثائق|المعلومات|معلومات|قاعدة المعرفة)/u,
  /(?:المصادر|المصدر|الوثائق|المعلومات|قاعدة المعرفة).{0,60}(?:لا|لم|ليس)\s/u,
]

/** Courtesy around an answer. */
const COURTESY = [
  /^(?:sure|of course|certainly|absolutely|great question|good question|happy to help|glad to help|you[’']re welcome|i hope (?:this|that) helps|hope (?:this|that) helps|let me know if|feel free to|if you have (?:any )?(?:more|other|further|additional)? ?questions|is there anything else|sorry|i[’']m sorry|hello|hi|thanks|thank you)\b.{0,120}$/iu,
  /^¡?(?:claro|por supuesto|con gusto|de nada|espero que (?:esto )?(?:te|le) (?:ayude|sirva)|no dudes en|no dude en|si (?:tienes|tiene) (?:más|otra)|hola|gracias|lo siento)(?!\p{L}).{0,120}$/iu,
  /^(?:bien sûr|certainement|avec plaisir|je vous en prie|j[’']espère que|n[’']hésitez pas|si vous avez d[’']autres|bonjour|merci|désolé)(?!\p{L}).{0,120}$/iu,
  /^(?:конечно|разумеется|рад[аы]? помочь|пожалуйста|надеюсь,? это|если у вас (?:есть|остались|появятся)|обращайтесь|здравствуйте|привет|спасибо|извините|к сожалению)(?!\p{L}).{0,120}$/iu,
  /^(?:当然|當然|好的|没问题|沒問題|很高兴|很高興|不客气|不客氣|希望(?:这|這|以上|对|對)|如果您?你?(?:还有|還有|有其他)|如有(?:其他|任何)|请随时|請隨時|你好|您好|谢谢|謝謝|抱歉|对不起|對不起).{0,60}$/u,
  /^(?:بالطبع|بالتأكيد|يسعدني|على الرحب|آمل أن|أرجو أن|إذا كان لديك|لا تتردد|مرحبا|أهلا|شكرا|عذرا|آسف).{0,120}$/u,
]

/**
 * Why a sentence of a grounded reply may stand without a source, or null: courtesy, a question back to the user, or the
 * admission that the sources do not say (`gap`). Nothing long, and nothing that names a number.
 */
export function passesUnsupported(sentence: string): 'gap' | 'question' | 'courtesy' | null {
  const plain = sentence.trim()
  if (plain.length > MAX_CHARS || DIGIT.test(plain)) return null
  if (ENDS_AS_QUESTION.test(plain)) return 'question'
  if (NOT_FOUND.some((pattern) => pattern.test(plain))) return 'gap'
  return COURTESY.some((pattern) => pattern.test(plain)) ? 'courtesy' : null
}

const MAX_LEAD_IN_CHARS = 120
const YES_OR_NO =
  /^(?:yes|no|correct|right|exactly|not quite|sí|si|correcto|exacto|oui|non|exact|tout à fait|да|нет|верно|именно|是|是的|对|對|对的|對的|不|不是|没有|沒有|可以|不可以|能|不能|نعم|لا|صحيح)[\s.!,，。！،]*$/iu

/** A line that only introduces the next ones ("The steps are:") or a bare yes or no: it stands or falls with them. */
export function introduces(sentence: string): 'lead-in' | 'yes-or-no' | null {
  const plain = sentence.trim().replaceAll(/[*_]/gu, '')
  if (YES_OR_NO.test(plain)) return 'yes-or-no'
  const isLeadIn = /[:：]$/u.test(plain) && plain.length <= MAX_LEAD_IN_CHARS && !DIGIT.test(plain)
  return isLeadIn ? 'lead-in' : null
}
