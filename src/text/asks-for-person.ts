const MAX_LENGTH = 160

const PERSON_EN = `(?:(?:a|an|some|the|your|another) )?(?:real |actual |live |human )?(?:human(?: being| agent)?|person|people|someone(?: real| human)?|somebody|employee|staff(?: member)?|member of staff|representative|operator|support agent|live agent|colleague)`
const PERSON_ES = `(?:(?:con|a|de|por) )?(?:una? |algún |alguna |el |la )?(?:persona(?: real)?|humano|agente humano|operadora?|empleado|representante|alguien(?: real)?|compañero)`
const PERSON_FR = `(?:(?:à|avec|un|une|par) )*(?:vraie )?(?:personne(?: réelle)?|humain|être humain|conseill(?:er|ère)|opérat(?:eur|rice)|employée?|agent humain|quelqu'un|collègue)`
const PERSON_RU = `(?:(?:с|со|на|живого|живым|живому|вашим|каким-нибудь) )*(?:человек(?:а|ом|у)?|оператор(?:а|ом|у)?|сотрудник(?:а|ом|у)?|менеджер(?:а|ом|у)?|специалист(?:а|ом|у)?|консультант(?:а|ом|у)?)`
const PERSON_AR = `(?:(?:مع|إلى|الى|ب) ?)?(?:شخص(?: حقيقي)?|إنسان|انسان|موظف|الموظف|موظف بشري|ممثل|مندوب)`
const PERSON_ZH = `(?:人工(?:客服|服务|服務)?|真人(?:客服)?|客服(?:人员|人員)?|专人|專人|工作人员|工作人員)`

/** Whole sentences that ask for a person: seven languages, politeness around them. */
const ASKS = [
  `(?:(?:please|hi|hello|no|ok|okay) )*(?:(?:can|could|may) (?:i|you)(?: please)?|i(?:'d| would) (?:like|prefer|rather)(?: to)?|i (?:want|need|wish)(?: to)?|let me|is it possible to|how (?:can|do) i|get me|give me|connect me(?: to| with)?|put me through to|transfer me to|hand me over to)? ?(?:(?:talk|speak|chat|ask|get|reach|connect|be connected|write|get through|transfer)(?: me)?(?: to| with)? )?${PERSON_EN}(?: please| now| instead)*`,
  `(?:(?:por favor|hola|no) )*(?:quiero|quisiera|necesito|me gustaría|puedo|podría|prefiero|me puede|pásame|páseme|comuníqueme)? ?(?:hablar|chatear|comunicarme|contactar|hablarle|pasar)? ?${PERSON_ES}(?: por favor| ahora)*`,
  `(?:(?:s'il vous plaît|bonjour|non) )*(?:je (?:veux|voudrais|souhaite|préfère|peux)|j'aimerais|puis-je|est-ce que je peux|pouvez-vous me|passez-moi|mettez-moi en relation avec)? ?(?:parler|discuter|échanger|être mis en relation|passer|écrire|joindre)? ?${PERSON_FR}(?: s'il vous plaît| maintenant)*`,
  `(?:(?:пожалуйста|здравствуйте|нет) )*(?:я )?(?:хочу|хотел бы|хотела бы|могу|можно(?: ли)?|нужен|нужна|мне нужен|дайте|позовите|позови|позвать|соедините(?: меня)?|переключите(?: меня)?|переведите(?: меня)?)? ?(?:я )?(?:поговорить|говорить|пообщаться|связаться|попросить|позвать)? ?${PERSON_RU}(?: пожалуйста| сейчас)*`,
  `(?:(?:من فضلك|مرحبا|لا) )*(?:أريد|اريد|أود|اود|أرغب|هل يمكنني|ممكن|أحتاج|احتاج|حولني|وصلني)? ?(?:أن |ان )?(?:التحدث|أتحدث|اتحدث|الكلام|أتكلم|اتكلم|التواصل|الحديث)? ?${PERSON_AR}(?: من فضلك| الآن)*`,
  `(?:请|請|麻烦|麻煩|你好)?(?:我(?:想|要|需要|希望)?)?(?:请|請|帮我|幫我|给我|給我|可以|能)?(?:转接?|轉接?|找|叫|接|联系|聯繫|和|跟|与|與|呼叫)?(?:一?[个個位])?${PERSON_ZH}(?:说话|說話|聊|谈|談|对话|對話|聊天|沟通|溝通|处理|處理)?(?:吗|嗎|一下|吧)?`,
].map((source) => new RegExp(`^(?:${source})$`, 'u'))

/** Words that a whole message of one noun would be taken for: what somebody means by them is not known. */
const TOO_SHORT =
  /^(?:(?:the|a) )?(?:people|person|personne|persona|someone|somebody|staff|colleague|operator|employee|representative|quelqu'un|alguien|человек|сотрудник|شخص)$/u

/** One sign behind words of another script: a slip of the hand. */
const STRAY_SIGN = /(?<=^\P{sc=Han}*\p{L}\P{sc=Han}*)\p{sc=Han} *$/u

/** Whether a message asks for a person and for nothing else. Seven languages. */
export function asksForPerson(message: string): boolean {
  if (message.length > MAX_LENGTH) return false
  const plain = message
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}'-]+/gu, ' ')
    .replace(STRAY_SIGN, '')
    .trim()
  if (plain === '' || TOO_SHORT.test(plain)) return false
  return ASKS.some((pattern) => pattern.test(plain))
}
