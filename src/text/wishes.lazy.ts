import { foldText } from './fold'

/** Languages that somebody may want an answer in; their names in each of ours come from the runtime. */
const NAMED = 'en es fr de ru zh ar it pt ja ko tr nl pl uk hi'.split(' ')

/**
 * What a language says for it: what may stand around a wish, and the wishes; `LANG` is the name of a language. All folded. None
 * of the words around is made of others of them ("给我" of "给" and "我"): each of it would be read in two ways, twice as long.
 */
const WISHES: Record<string, { around: string; wishes: string }> = {
  en: {
    around:
      "please|pls|ok|okay|no|but|and|now|sorry|hmm|once|a bit|a little|much|even|that|this|it|me|again|then|to me|for me|can you|could you|would you|can i get|can i have|i want|i need|i(?: would|'d) like|give me|send me|show me|tell me|make|put|try|explain",
    wishes:
      "(?:(?:say|write|answer|explain|reply|translate|summari[sz]e)(?: it| that| this| the answer| your answer)* )?(?:in|into|to) LANG|translate|short(?:er)?|brief(?:er|ly)?|in short|simpl(?:er|y|ify)|easier|longer|(?:in )?more (?:details?|detailed|simply|briefly|information|info|precise|specific)|details|in (?:simple|plain|simpler|other) (?:words|terms)|like i(?:'m| am) (?:five|5)(?: years old)?|(?:explain|repeat|rephrase|elaborate|clarify|summari[sz]e|say)(?: it| that| this| your answer| our chat| the chat| the conversation| again| more simply| simply)*|what did you (?:just )?say|(?:a )?summary|(?:as|in) (?:a |bullet |an? numbered )*(?:list|table|points|steps)|(?:the )?steps|step[- ]by[- ]step|(?:an|another|one)? ?(?:concrete |short |code )?examples?|again|i (?:do not|don't|dont|did not|didn't|cannot|can't) (?:understand|get|follow)(?: it| that| this| you)?|what do you mean|huh|(?:are you |really )*sure(?: about)?|really|is (?:that|this|it) (?:right|true|correct)|(?:what is |what's |where is )?(?:the |your )?(?:sources?|reference|link|proof)|where (?:did|do) you (?:get|have|find) (?:that|this|it)(?: from)?|where does (?:it|that) say(?: that| so)?|how do you know|(?:that is |that's |thats |this is |it is |you are |you're )?(?:wrong|incorrect|false|not (?:right|true|helpful|my question|an answer|what i (?:asked|meant|wanted)(?: for)?))|you (?:did not|didn't|didnt) answer(?: my question)?|(?:did not|didn't|does not|doesn't) (?:help|work)",
  },
  es: {
    around:
      'por favor|porfa|ok|vale|no|pero|y|ahora|un poco|mucho|eso|esto|me|otra vez|de nuevo|puedes|podrias|quiero|necesito|dame|muestrame|hazlo|todo',
    wishes:
      '(?:(?:dilo|dimelo|escribe(?:lo)?|responde|explica(?:lo|melo)?|traduce(?:lo|melo)?|tradúcelo) )?(?:en|al) LANG|traduce(?:lo|melo)?|(?:mas )?(?:corto|breve|resumido|sencillo|facil|simple|largo|claro|detallado)|en corto|mas (?:detalles?|informacion)|(?:con )?mas detalle|detalles|en otras palabras|(?:explica|explicalo|explicamelo|repite|repitelo|resume|resumelo|aclara)(?: mas)?(?: sencillo| facil| claro| simple| breve)?|(?:un )?resumen|(?:en|como) (?:una |forma de )?(?:lista|tabla|pasos)|(?:los )?pasos|paso a paso|(?:un|otro)? ?ejemplos?|no (?:lo )?(?:entiendo|entendi|comprendo)|que quieres decir|(?:estas )?segur[oa]|de verdad|es cierto|(?:cual es )?(?:la )?(?:fuente|fuentes|enlace|referencia)|(?:de )?donde (?:sale|lo sacas|lo dice|dice|pone)|como lo sabes|(?:es |esta )?(?:mal|incorrecto|falso)|no es (?:lo que (?:pregunte|pregunto|preguntaba|queria)|cierto|correcto|mi pregunta)|no (?:me )?(?:funciona|sirve|ayuda)|no (?:me )?(?:has respondido|respondiste|contestaste)(?: (?:a )?mi pregunta)?',
  },
  fr: {
    around:
      "s'il te plait|s'il vous plait|stp|svp|ok|non|mais|et|maintenant|un peu|beaucoup|ca|cela|moi|encore|peux-tu|pouvez-vous|tu peux|vous pouvez|je veux|je voudrais|donne-moi|donnez-moi|montre-moi|montrez-moi|fais",
    wishes:
      "(?:(?:dis|dis-le|ecris|reponds|repondez|explique|expliquez|traduis|traduis-le|traduisez|traduisez-le|traduire) )?(?:en|le) LANG|traduis(?:-le)?|(?:plus )?(?:court|bref|simple|simplement|long|clair|clairement|detaille|precis)|en bref|en resume|plus de (?:details?|precisions)|details|autrement dit|(?:explique|expliquez|repete|repetez|resume|resumez|reformule|reformulez|precise|precisez)(?:-le)?(?: plus)?(?: simplement| clairement| brievement)?|(?:un )?resume|(?:sous forme de|en|comme) (?:une )?(?:liste|tableau|etapes|points)|(?:les )?etapes|etape par etape|pas a pas|(?:un|un autre)? ?exemples?|je (?:ne |n'ai pas |n')?(?:comprends pas|pas compris|ai pas compris|compris)|que veux-tu dire|(?:tu es |vous etes |c'est )?(?:sur|certain|vrai)|vraiment|(?:quelle est )?(?:la |le )?(?:sources?|lien|reference)|(?:c'est ecrit |ou est-ce )?(?:ou|ecrit|d'ou ca vient)|comment le sais-tu|(?:c'est )?faux|(?:ce n'est|c'est) pas (?:vrai|juste|ma question|ce que j'ai demande|ce que je (?:demande|demandais|voulais))|(?:ne |n')?(?:marche|fonctionne|aide) pas|tu n'as pas repondu(?: a ma question)?",
  },
  de: {
    around:
      'bitte|ok|nein|aber|und|jetzt|mal|noch|hilft|ein bisschen|etwas|viel|das|es|mir|nochmal|kannst du|konnen sie|konntest du|konnten sie|ich mochte|ich brauche|gib|zeig|zeige|mach|geht|als',
    wishes:
      '(?:(?:sag|sage|schreib|antworte|erklar|erklare|ubersetze|ubersetz) )?(?:das |es )?(?:auf|ins) LANG|ubersetzen?|kurzer|kurz|knapper|einfacher|genauer|ausfuhrlicher|langer|mehr (?:details|infos)|details|in (?:einfachen|anderen) worten|(?:erklar|erklare|wiederhole|wiederholen|zusammenfassen|fass)(?: einfacher| genauer| zusammen)*|zusammenfassung|(?:eine )?(?:liste|tabelle)|(?:die )?schritte|schritt fur schritt|(?:ein|noch ein)? ?beispiele?|(?:ich )?verstehe? (?:ich )?nicht|nicht verstanden|(?:bist du |sind sie )?sicher|wirklich|stimmt|nochmal|noch (?:ein)?mal|(?:geht|funktioniert|hilft)(?: so)? nicht|(?:was ist )?(?:die |der )?(?:quellen?|link)|wo steht|woher (?:weisst|hast) du|falsch|(?:ist )?nicht (?:richtig|meine frage|was ich (?:gefragt|gemeint) habe)|das (?:habe ich|war) nicht (?:gefragt|gemeint|meine frage)',
  },
  ru: {
    around:
      'пожалуйста|плиз|ок|нет|но|и|а|теперь|немного|чуть|еще|раз|это|мне|можно|можешь|можете|хочу|нужно|дай|дайте|покажи|покажите|сделай|давай',
    wishes:
      '(?:(?:скажи|напиши|ответь|ответьте|объясни|переведи|переведите) )?(?:на |по-)LANG(?: язык\\p{L}*)?|переведи|короче|кратко|покороче|вкратце|проще|попроще|подробнее|поподробнее|подробно|длиннее|(?:больше )?(?:подробностей|деталей)|другими словами|простыми словами|(?:объясни|объясните|повтори|повторите|поясни|поясните|резюмируй|перефразируй)(?: проще| подробнее| кратко)?|(?:кратко )?итог|(?:в виде )?(?:списком|списка|таблицей|таблицы)|шаги|(?:по шагам|пошагово)|(?:приведи|приведите)? ?примеры?|(?:я )?не (?:понял|поняла|понимаю|понятно)|что (?:ты|вы) име\\p{L}+ в виду|(?:ты |вы )?(?:точно|уверен|уверена|уверены)|правда|действительно|источники?|ссылк[ау]|где (?:это )?(?:написано|сказано)|не (?:работает|помогло|помогает)|откуда (?:ты )?(?:знаешь|информация)|неправильно|неверно|(?:не то|не о том)(?: что я| я)?(?: спрашивал| спросил| спрашивала| спросила)?|(?:ты|вы) не ответил[аи]?(?: на (?:мой )?вопрос)?',
  },
  ar: {
    around:
      'من فضلك|رجاء|لو سمحت|طيب|لا|لكن|و|الان|قليلا|اكثر|هذا|ذلك|لي|مرة|اخرى|هل يمكنك|ممكن|اريد|احتاج|اعطني|ارني',
    wishes:
      '(?:(?:قل|قلها|اكتب|اجب|اشرح|ترجم|ترجمها|ترجمه) )?(?:الى |ب)LANG|ترجمها|باختصار|(?:بشكل )?(?:اقصر|ابسط|اوضح|اطول)|ببساطة|(?:تفاصيل|بتفصيل|بالتفصيل|معلومات)|بكلمات اخرى|(?:اشرح|اشرحها|اعد|اعدها|كرر|كررها|وضح|لخص|لخصها)(?: ببساطة| باختصار)?|ملخص|(?:على شكل|في) (?:قايمة|جدول|خطوات|نقاط)|خطوة بخطوة|(?:ال)?خطوات|(?:مثالا?|امثلة)|لم افهم|لا افهم|ما فهمت|ماذا تقصد|(?:هل انت )?متاكد|حقا|(?:ما )?(?:هو )?(?:المصدر|الرابط)|(?:اين )?مكتوب|كيف عرفت|خطا|غير صحيح|ليس هذا (?:سوالي|ما سالت|ما قصدت)|لا (?:يعمل|يفيد)|لم تجب(?: على سوالي)?',
  },
  zh: {
    around:
      '请|請|麻烦|麻煩|给|給|来|來|举|舉|可以|能|可否|再|你|帮我|幫我|用|一下|吗|嗎|吧|呢|好吗|好嗎|的|这个|這個|那|不|我|要|想|把它|把',
    wishes:
      '(?:说|說|写|寫|回答|解释|解釋|翻译|翻譯)?(?:成|用|以)?LANG(?:说|說|写|寫|回答|解释|解釋|讲|講)?|翻译|翻譯|(?:说|說|讲|講)?得?(?:简短|簡短|简单|簡單|详细|詳細|具体|具體|清楚|通俗)(?:一点|一點|点|點|些|一些)?(?:说|說|讲|講)?|短(?:一点|一點|点|點)|长(?:一点|一點|点|點)|更多(?:细节|細節)|换(?:个|一种)说法|換(?:個|一種)說法|(?:说|說|讲|講|重复|重複|解释|解釋|总结|總結|概括|归纳|歸納)(?:一遍|一次|遍)?|列(?:个|個|成)?(?:清单|清單|列表|表格|表)|步骤|步驟|一步一步(?:说|說|来|來)?|分步骤?(?:说|說)?|(?:个|個)?(?:例子|例|示例|範例)|(?:没|沒|看不|听不|聽不|不)(?:看|听|聽)?(?:懂|明白|太懂|太明白|理解)|什么意思|什麼意思|(?:你)?(?:确定|確定|肯定)|真的|(?:出处|出處|来源|來源|链接|連結)(?:在哪|在哪里|在哪裡|是什么|是什麼)?|哪里写的|哪裡寫的|(?:你)?怎么知道|(?:你)?怎麼知道|不(?:管用|行|好使)|没用|沒用|不对|不對|错了|錯了|(?:我)?问的不是这个|(?:我)?問的不是這個|没回答(?:我的问题)?|沒回答(?:我的問題)?',
  },
}

const patterns = Object.entries(WISHES).map(([lang, wishes]) => patternOf(lang, wishes))

function patternOf(lang: string, { around, wishes }: { around: string; wishes: string }): RegExp {
  const gap = lang === 'zh' ? '' : ' '
  const names = new Intl.DisplayNames(lang, { type: 'language' })
  const named = NAMED.map((code) => nameIn(lang, foldText(names.of(code) ?? code)))
  const wish = wishes.replaceAll('LANG', `(?:${named.join('|')})`)
  const [before, behind] = [`(?:(?:${around})${gap})*`, `(?:${gap}(?:${around}))*`]
  return new RegExp(`^${before}(?:${wish})${behind}$`, 'u')
}

/** A language's name without what changes with its place in a sentence. */
function nameIn(lang: string, name: string): string {
  if (lang === 'zh') return `${name.slice(0, -1)}[语語文话話]`
  if (lang === 'ru') return `${name.slice(0, -2)}\\p{L}*`
  return lang === 'ar' ? `(?:ال)?${name.replace(/^ال/u, '')}` : name
}

/** @param plain a message, folded, without signs */
export function isWish(plain: string): boolean {
  const unspaced = plain.replaceAll(' ', '')
  return patterns.some((pattern) => pattern.test(plain) || pattern.test(unspaced))
}
