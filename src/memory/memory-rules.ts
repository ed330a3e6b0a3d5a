import type { Language } from '../config/names'
import type { MemoryKind } from './types'

/** What one sentence of a user says about them. `(?<v>…)` is what a slot of several values is told apart by. */
export interface MemoryRule {
  kind: MemoryKind
  topic: string
  importance: number
  /** `name`: one truth at a time. `taste:`: one truth for each value. Null: many may stand side by side. */
  slot: string | null
  patterns: Partial<Record<Language, string>>
}

/** Chinese in both scripts is read by one pattern, filed under `zh`. */
export const MEMORY_RULES: readonly MemoryRule[] = [
  {
    kind: 'instruction',
    topic: 'how to answer',
    importance: 8,
    slot: null,
    patterns: {
      en: `^(?:please,? )?(?:always|never) (?:answer|reply|respond|write|speak|talk|use|explain|address|include|keep|show|give|send)\\b|\\b(?:from now on|in future|in the future),? (?:please |always |only |never )*(?:answer|reply|respond|write|speak|use|keep|call|do not|don't)\\b|\\bplease (?:always |only )?(?:answer|reply|respond|write|speak) (?:to me )?(?:only )?in \\p{L}+`,
      es: `^(?:por favor,? )?(?:siempre|nunca) (?:me )?(?:respond|contest|escrib|habl|us|explic)\\p{L}+|\\b(?:a partir de ahora|de ahora en adelante),? .*(?:respond|contest|escrib|habl|us|tutea)\\p{L}*|\\b(?:respónde|contésta|háble|escríbe)me (?:siempre |solo )?en \\p{L}+`,
      fr: `^(?:s'il (?:te|vous) plaît,? )?(?:répon|écri|parl|utilis|expliqu|tutoie)\\p{L}*(?:-moi)? (?:toujours|jamais)|\\b(?:à partir de maintenant|désormais|dorénavant),? .*(?:répon|écri|parl|utilis|tutoie)\\p{L}*|\\b(?:répon|écri|parl)\\p{L}*-moi (?:toujours )?en \\p{L}+`,
      ru: `^(?:пожалуйста,? )?(?:всегда|никогда)(?: не)? (?:отвеча|пиши|говори|использу|обраща|объясня)\\p{L}*|(?:впредь|отныне|с этого момента),? .*(?:отвеча|пиши|говори|использу|обраща)\\p{L}*|(?:отвечай|пиши|говори)(?:те)? (?:мне )?(?:всегда |только )?(?:по-|на )\\p{L}+`,
      zh: '(?:以后|以後|从现在起|從現在起|今后|今後|请总是|請總是|请始终|請始終|请一直|請一直|永远不要|永遠不要).{0,12}(?:回答|回复|回覆|说|說|用|写|寫|称呼|稱呼|解释|解釋)|请用.{1,6}(?:回答|回复)|請用.{1,6}(?:回答|回覆)',
      ar: '^(?:من فضلك،? )?(?:دائما|لا) (?:أجب|اجب|رد|تكلم|اكتب|استخدم)|(?:من الآن فصاعدا|من الان فصاعدا).*(?:أجب|اجب|رد|تكلم|اكتب|استخدم)|(?:أجبني|اجبني|أجب|اجب|رد علي|تكلم معي) (?:دائما )?(?:ب|باللغة )\\p{L}+',
    },
  },
  {
    kind: 'fact',
    topic: 'name',
    importance: 9,
    slot: 'name',
    patterns: {
      en: "\\bmy (?:first |full |nick)?name(?:'s| is) \\p{L}|\\b(?:please |you can )call me (?!when|if|at|on|back|later|tomorrow|today|again|a |an |the |in )\\p{L}|^call me (?!when|if|at|on|back|later|tomorrow|today|again|a |an |the |in )\\p{L}|\\bi go by \\p{L}|\\bi(?:'m| am) called \\p{L}",
      es: '\\b(?:me llamo|mi nombre es|puedes llamarme|llámame|ll[aá]meme) \\p{L}',
      fr: "\\b(?:je m'appelle|mon (?:pré)?nom est|appelle[sz]?-moi|tu peux m'appeler|vous pouvez m'appeler) \\p{L}",
      ru: '(?:меня зовут|мо[её] имя|зовите меня|зови меня|называй(?:те)? меня) \\p{L}|мо[её] имя\\s*[—–-]\\s*\\p{L}',
      zh: '我叫(?!你|什么|什麼|他|她|了|的)[\\p{L}·]|我的名字(?:是|叫)(?!什么|什麼)|[叫称稱]我(?!的|什么|什麼)[\\p{L}]|我姓\\p{L}',
      ar: '(?:اسمي(?: هو)?|نادني|نادوني|يمكنك مناداتي) \\p{L}',
    },
  },
  {
    kind: 'fact',
    topic: 'health and diet',
    importance: 9,
    slot: null,
    patterns: {
      en: "\\bi(?:'m| am) (?:severely |very )?(?:allergic|vegan|a vegan|vegetarian|a vegetarian|pescatarian|diabetic|coeliac|celiac|asthmatic|pregnant|(?:\\p{L}+[- ])?intolerant|gluten|lactose|deaf|blind|colou?r-?blind)|\\bi (?:can't|cannot|can not|don't|do not|mustn't) eat\\b|\\bi have (?:an? )?(?:\\p{L}+ ){0,2}(?:allergy|allergies|diabetes|asthma|intolerance)",
      es: '\\bsoy (?:muy )?(?:alérgic|vegan|vegetarian|diabétic|celíac|celiac|asmátic|intolerante)\\p{L}*|\\bno puedo comer\\b|\\bno como (?:carne|gluten|pescado|lácteos|cerdo)|\\b(?:tengo|padezco) (?:una |de )?(?:alergia|diabetes|asma|intolerancia)|\\bestoy embarazada',
      fr: "\\bje suis (?:très )?(?:allergique|végan|végane|vegan|végétarien|diabétique|cœliaque|coeliaque|asthmatique|intolérant|enceinte)\\p{L}*|\\bje ne (?:peux pas manger|mange pas)\\b|\\bj'ai (?:une |du |de l')?(?:allergie|diabète|asthme|intolérance)",
      ru: '(?:у меня) (?:\\p{L}+ )?(?:аллергия|диабет|астма|непереносимость)|(?<!\\p{L})я (?:веган|вегетариан|диабетик|астматик|беременна|аллергик)\\p{L}*|(?<!\\p{L})я не ем(?!\\p{L})|мне нельзя есть',
      zh: '我(?:对|對).{1,12}(?:过敏|過敏)|我(?:是)?(?:吃素|素食|纯素|純素)|我不(?:能)?吃.{1,10}|我(?:有|患有|得了)(?:糖尿病|哮喘|气喘|氣喘|过敏|過敏)|我(?:怀孕|懷孕)|我乳糖不耐',
      ar: '(?:عندي|لدي|أعاني من|اعاني من) (?:حساسي[ةه]|السكري|سكري|الربو)|(?:أنا|انا) (?:نباتي|نباتية|حامل|مريض سكري)|لا (?:أستطيع أكل|استطيع اكل|آكل|اكل)',
    },
  },
  {
    kind: 'fact',
    topic: 'birthday and age',
    importance: 7,
    slot: 'birth',
    patterns: {
      en: "\\bmy birthday (?:is|falls)\\b|\\bi was born (?:on|in)\\b|\\bi(?:'m| am) \\d{1,3}(?: years old|,|\\.|$)|\\bi turned \\d{1,3}\\b",
      es: '\\bmi cumpleaños es\\b|\\bnací (?:en|el)\\b|\\btengo \\d{1,3} años',
      fr: "\\bmon anniversaire (?:est|tombe)\\b|\\bje suis née? (?:en|le|à)|\\bj'ai \\d{1,3} ans",
      ru: '(?:мой день рождения|я родил(?:ся|ась))|мне \\d{1,3} (?:год|лет)',
      zh: '我的?生日是|我(?:今年)?\\d{1,3}[岁歲]|我(?:出生于|出生於|生于|生於)',
      ar: 'عيد ميلادي|ولدت (?:في|عام|سنة)|عمري \\d{1,3}',
    },
  },
  {
    kind: 'fact',
    topic: 'home',
    importance: 8,
    slot: 'home',
    patterns: {
      en: "\\bi (?:now |currently |still |mostly )?live (?:now )?(?:in|at|near|on)\\b|\\bi(?:'ve| have)? (?:just |recently )?(?:moved|relocated) (?:from .{1,30} )?to\\b|\\bi(?:'m| am) (?:now |currently )?(?:based|living|at home) in\\b|\\bmy home (?:town|city)? ?is\\b",
      es: '\\b(?:ahora |actualmente )?(?:vivo|resido) (?:ahora |actualmente )?(?:en|cerca)\\b|\\bme (?:he mudado|mudé|acabo de mudar) (?:de .{1,30} )?a\\b',
      fr: "\\bj'habite\\b|\\bje (?:vis|réside|demeure) (?:maintenant |actuellement )?(?:à|au|aux|en|dans|près)(?!\\p{L})|\\bj'ai (?:récemment )?déménagé (?:de .{1,30} )?(?:à|au|en)(?!\\p{L})|\\bje viens de déménager",
      ru: '(?<!\\p{L})я (?:сейчас |теперь |уже )?(?:живу|проживаю) (?:сейчас |теперь )?(?:в|во|на|под|около)(?!\\p{L})|(?<!\\p{L})я (?:недавно )?(?:переехал|переехала) (?:из .{1,30} )?(?:в|во|на)(?!\\p{L})|^живу (?:в|во|на)(?!\\p{L})',
      zh: '我(?:现在|現在|目前|已经|已經)?(?:住在|住|居住在|定居在)(?!院)|我(?:刚|剛)?(?:搬到|搬去|搬家到)',
      ar: '(?:أعيش|اعيش|أسكن|اسكن|أقيم|اقيم) (?:الآن |الان )?(?:في|ب)|انتقلت (?:من .{1,30} )?(?:إلى|الى|للعيش)',
    },
  },
  {
    kind: 'fact',
    topic: 'origin',
    importance: 6,
    slot: 'origin',
    patterns: {
      en: "\\bi(?:'m| am| come) (?:originally )?from (?!the (?:support|sales|team|office))\\p{L}",
      es: '\\b(?:soy|vengo|provengo) (?:originariamente )?de (?!acuerdo)\\p{L}',
      fr: "\\bje (?:viens|suis originaire) (?:de |du |des |d')(?!acheter|recevoir|commander|voir|faire|lire|déménager|perdre)\\p{L}",
      ru: '(?<!\\p{L})я (?:родом )?из \\p{L}',
      zh: '我(?:来自|來自)|我是(?:\\p{L}{1,6})人(?!员|員)',
      ar: '(?:أنا|انا) من \\p{L}',
    },
  },
  {
    kind: 'fact',
    topic: 'work',
    importance: 7,
    slot: 'work',
    patterns: {
      en: "\\bi (?:now |currently )?work (?:as|at|for|in)\\b(?! (?:this|that|it|all))|\\bi(?:'m| am) (?:employed|working) (?:as|at|by|for)\\b|\\bmy (?:job|profession|occupation|employer) is\\b|\\bi(?:'m| am) an? (?:\\p{L}+ ){0,2}(?:teacher|nurse|doctor|engineer|developer|programmer|student|lawyer|designer|artist|writer|journalist|chef|cook|driver|farmer|scientist|accountant|manager|architect|pilot|electrician|plumber|musician|photographer|researcher|professor|consultant|pensioner|translator)\\b|\\bi(?:'m| am) (?:retired|unemployed|self-employed)\\b",
      es: '\\b(?:trabajo (?:ahora )?(?:como|en|de|para)|mi (?:trabajo|profesión|oficio) es|soy (?:maestr|profesor|médic|enfermer|ingenier|abogad|programador|desarrollador|diseñador|estudiante|periodista|cociner|arquitect|jubilad|traductor)\\p{L}*)',
      fr: '\\bje travaille (?:comme|chez|dans|pour|à|au|en)(?!\\p{L})|\\bmon (?:métier|travail|emploi) est\\b|\\bje suis (?:enseignant|professeur|médecin|infirmi|ingénieur|avocat|développeur|étudiant|journaliste|cuisini|architecte|retraité|designer|traduct)\\p{L}*',
      ru: '(?<!\\p{L})я (?:сейчас |теперь )?работаю(?!\\p{L})|моя (?:профессия|работа)(?!\\p{L})|(?<!\\p{L})я (?:учител|врач|медсестр|инженер|программист|разработчик|юрист|адвокат|студент|журналист|повар|архитектор|пенсионер|переводчи)\\p{L}*',
      zh: '我(?:现在|現在|目前)?(?:在.{1,15}(?:工作|上班|任职|任職)|从事|從事)|我是(?:一名|一个|一個|一位|个|個|名)?\\p{L}{0,4}(?:老师|老師|教师|教師|医生|醫生|护士|護士|工程师|工程師|程序员|程式設計師|律师|律師|学生|學生|设计师|設計師|记者|記者|厨师|廚師|翻译|翻譯|退休)',
      ar: '(?:أعمل|اعمل) (?:الآن |الان )?(?:في|ك|كـ|لدى|مع|مهندس|طبيب|معلم)|مهنتي|وظيفتي|(?:أنا|انا) (?:مهندس|طبيب|معلم|مدرس|طالب|محامي|مبرمج|صحفي|ممرض|متقاعد|مترجم)',
    },
  },
  {
    kind: 'fact',
    topic: 'family',
    importance: 6,
    slot: null,
    patterns: {
      en: "\\bmy (?:wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|son|daughter|child|children|kids?|baby|mother|father|mum|mom|dad|parents|brother|sister|twins?|dog|cat|pet)(?:'s name)? (?:is|are|was|were|has|have|lives?|works?|likes?|loves?)\\b|\\bi have (?:a|an|one|two|three|four|five|\\d) (?:\\p{L}+ )?(?:sons?|daughters?|child|children|kids?|dogs?|cats?|brothers?|sisters?)|\\bi(?:'m| am) (?:married|single|divorced|engaged|widowed)\\b",
      es: '\\bmi (?:espos[oa]|marido|mujer|pareja|novi[oa]|hij[oa]s?|madre|padre|herman[oa]|perr[oa]|gat[oa]) (?:se llama|es|tiene|está|vive|trabaja)|\\btengo (?:un|una|dos|tres|cuatro|\\d) (?:hij|perr|gat|herman)\\p{L}*|\\b(?:estoy casad|soy solter|estoy divorciad)\\p{L}*',
      fr: "\\bm(?:a|on) (?:femme|mari|conjointe?|compagne|compagnon|copine|copain|fils|fille|mère|père|sœur|frère|chien|chienne|chat|chatte) (?:s'appelle|est|a|vit|travaille|habite)(?!\\p{L})|\\bj'ai (?:un|une|deux|trois|quatre|\\d) (?:enfant|fils|fille|chien|chat|frère|sœur)\\p{L}*|\\bje suis (?:mariée?|célibataire|divorcée?|veu(?:f|ve))",
      ru: '(?:мо[йя]|моего|моей) (?:жен|муж|сын|доч|реб[её]н|мам|пап|мать|отец|брат|сестр|собак|кошк|кот|п[её]с)\\p{L}*|у меня (?:есть )?(?:один |одна |двое |трое |два |две |три )?(?:сын|доч|дет|реб[её]н|собак|кошк|кот|брат|сестр)\\p{L}*|(?<!\\p{L})я (?:женат|замужем|разведен|не женат|не замужем|холост)\\p{L}*',
      zh: '我(?:的)?(?:妻子|老婆|丈夫|老公|先生|太太|女朋友|男朋友|儿子|兒子|女儿|女兒|孩子|妈妈|媽媽|爸爸|哥哥|姐姐|弟弟|妹妹|狗|猫|貓)(?:叫|是|有|今年|在|喜欢|喜歡)|我有(?:一|两|兩|二|三|\\d)(?:个|個|只|隻|条|條)(?:儿子|兒子|女儿|女兒|孩子|小孩|狗|猫|貓|哥哥|姐姐|弟弟|妹妹)|我(?:已婚|单身|單身|结婚了|結婚了|离婚了|離婚了)',
      ar: '(?:زوجتي|زوجي|ابني|ابنتي|بنتي|أولادي|اولادي|أمي|امي|أبي|ابي|والدي|والدتي|أخي|اخي|أختي|اختي|كلبي|قطتي) \\p{L}|(?:عندي|لدي) (?:ابن|ابنة|بنت|طفل|طفلان|أطفال|اطفال|كلب|قطة|أخ|اخ|أخت|اخت)|(?:أنا|انا) (?:متزوج|أعزب|اعزب|مطلق)',
    },
  },
  {
    kind: 'preference',
    topic: 'favourites',
    importance: 6,
    slot: 'favourite:',
    patterns: {
      en: '\\bmy (?:all-time )?favou?rite (?<v>\\p{L}+)(?: \\p{L}+)? (?:is|are)\\b',
      es: '\\bmi (?<v>\\p{L}+) (?:favorit|preferid)[oa]s? (?:es|son)\\b',
      fr: '\\bm(?:on|a|es) (?<v>\\p{L}+) préférée?s? (?:est|sont)\\b',
      ru: 'мо(?:й|я|[её]|и) любим\\p{L}+ (?<v>\\p{L}+)',
      zh: '我最喜(?:欢|歡)的(?<v>\\p{L}{1,4}?)是',
      ar: '(?<v>\\p{L}+)ي (?:المفضل|المفضلة)',
    },
  },
  {
    kind: 'preference',
    topic: 'tastes',
    importance: 5,
    slot: 'taste:',
    patterns: {
      en: "\\bi (?:also |really |absolutely |still |much |usually |always |generally )*(?:like|love|enjoy|prefer|adore|hate|dislike|detest|can't stand|cannot stand|don't (?:really )?like|do not like|no longer like|am (?:very )?fond of)(?! to (?:know|ask|return|cancel|order|see|get|have|book|speak|talk)\\b| it if| you to| your) (?:to )?(?:drink(?:ing)? |eat(?:ing)? )?(?<v>[^.,;!]{2,80})|\\bi(?:'m| am) (?:a (?:big |huge )?fan of|into|fond of) (?<v>[^.,;!]{2,80})",
      es: '\\b(?:no )?me (?:gustan?|encantan?|fascinan?|disgustan?)(?! saber)(?: mucho| más)? (?<v>[^.,;!]{2,80})|\\b(?:prefiero|odio|detesto|adoro|amo) (?<v>[^.,;!]{2,80})',
      fr: "\\b(?:j'aime(?: bien| beaucoup)?(?! savoir)|je n'aime (?:pas|plus)|j'adore|je préfère|je déteste|je hais) (?<v>[^.,;!]{2,80})",
      ru: '(?<!\\p{L})(?:я (?:очень |больше |просто )*(?:не )?(?:люблю|обожаю|предпочитаю|ненавижу)|мне (?:очень )?(?:не )?нрав(?:ится|ятся)) (?<v>[^.,;!]{2,80})',
      zh: '我(?:很|非常|比较|比較|更|特别|特別|也|最)*(?:不喜欢|不喜歡|喜欢|喜歡|讨厌|討厭|爱|愛|偏好|热爱|熱愛|爱吃|愛吃|爱喝|愛喝)(?!你|问|問|知道)(?<v>[^。，；！,.]{1,40})',
      ar: '(?:لا )?(?:أحب|احب|أفضل|افضل|أكره|اكره|أعشق|اعشق)(?! (?:أن أعرف|ان اعرف)) (?<v>[^.،؛!]{2,80})|لا (?:يعجبني|تعجبني) (?<v>[^.،؛!]{2,80})',
    },
  },
  {
    kind: 'goal',
    topic: 'goals',
    importance: 6,
    slot: null,
    patterns: {
      en: "\\bmy (?:goal|dream|aim|plan|resolution) is\\b|\\bi (?:plan|hope|intend|aim|dream) (?:to|of)\\b|\\bi(?:'m| am) (?:planning|hoping|aiming|saving|training|learning|studying|preparing|trying to (?:learn|lose|quit|stop|save|become))\\b|\\bi want to (?:learn|become|lose|quit|stop|save|move|run|travel|study|build|start|visit)\\b",
      es: '\\bmi (?:meta|objetivo|sueño|plan) es\\b|\\b(?:planeo|pienso|espero|pretendo|sueño con) \\p{L}+|\\bestoy (?:aprendiendo|estudiando|ahorrando|entrenando|preparando|planeando)|\\bquiero (?:aprender|dejar de|ahorrar|viajar|estudiar|perder peso|mudarme)',
      fr: "\\bmon (?:objectif|but|rêve|projet) est\\b|\\bj'(?:ai l'intention|espère|envisage)\\b|\\bje (?:prévois|compte|rêve) (?:de|d')?|\\bj'(?:apprends|étudie|économise)\\b|\\bje m'entraîne\\b|\\bje (?:veux|voudrais) (?:apprendre|arrêter|économiser|voyager|étudier|perdre du poids|déménager)",
      ru: 'моя (?:цель|мечта)|(?<!\\p{L})я (?:планирую|собираюсь|мечтаю|надеюсь|учусь|изучаю|учу|коплю|готовлюсь)(?!\\p{L})|(?<!\\p{L})(?:я )?хочу (?:научиться|выучить|бросить|накопить|похудеть|стать|переехать|путешествовать)',
      zh: '我的(?:目标|目標|梦想|夢想|计划|計劃)是|我(?:打算|计划|計劃|准备|準備|希望能|正在学|正在學|在学|在學)(?!退|取消|问|問)|我想(?:学|學|成为|成為|减肥|減肥|戒|存钱|存錢|旅行)',
      ar: '(?:هدفي|حلمي|خطتي)|(?:أخطط|اخطط|أنوي|انوي|أحلم|احلم|أتعلم|اتعلم|أدرس|ادرس) \\p{L}|(?:أريد|اريد) (?:أن |ان )?(?:أتعلم|اتعلم|أصبح|اصبح|أسافر|اسافر|أدرس|ادرس|أوفر|اوفر)',
    },
  },
  {
    kind: 'event',
    topic: 'events',
    importance: 6,
    slot: null,
    patterns: {
      en: "\\bi(?:'m| am) (?:getting married|moving|flying|travell?ing|expecting|having (?:a baby|surgery)|starting (?:a|my) new)\\b|\\bmy (?:wedding|exam|surgery|appointment|interview|flight|trip|holiday|vacation|graduation|due date) (?:is|starts|begins|was)\\b|\\bi have (?:an? |my )?(?:\\p{L}+ )?(?:appointment|exam|interview|surgery|flight) (?:on|in|at|tomorrow|next)\\b",
      es: '\\bme (?:caso|mudo|voy de viaje|operan)\\b|\\bmi (?:boda|examen|operación|cita|entrevista|vuelo|viaje|graduación) (?:es|empieza|será|fue)\\b|\\btengo (?:un |una )?(?:cita|examen|entrevista|vuelo|operación) (?:el|en|mañana|la)',
      fr: "\\bje (?:me marie|déménage|pars en (?:voyage|vacances)|vais me marier)\\b|\\bmon (?:mariage|examen|opération|rendez-vous|entretien|vol|voyage) (?:est|commence|aura lieu)|\\bj'ai (?:un |une )?(?:rendez-vous|examen|entretien|vol|opération) (?:le|demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|la)",
      ru: '(?<!\\p{L})я (?:женюсь|выхожу замуж|переезжаю|улетаю|уезжаю|лечу)(?!\\p{L})|(?:моя|мой) (?:свадьба|экзамен|операция|рейс|собеседование|отпуск|выпускной)|у меня (?:экзамен|операция|собеседование|рейс|при[её]м|свадьба)',
      zh: '我(?:要|将|將|快要)(?:结婚|結婚|搬家|出差|旅行|考试|考試|手术|手術|毕业|畢業)|我的(?:婚礼|婚禮|考试|考試|手术|手術|面试|面試|航班|旅行)(?:是|在)|我(?:明天|下周|下週|下个月|下個月).{0,8}(?:考试|考試|面试|面試|手术|手術|旅行|出差|结婚|結婚)',
      ar: '(?:سأتزوج|ساتزوج|سأسافر|ساسافر|سأنتقل|سانتقل)|(?:زفافي|امتحاني|موعدي|رحلتي|عمليتي|تخرجي|مقابلتي) |(?:عندي|لدي) (?:موعد|امتحان|مقابلة|رحلة|عملية)',
    },
  },
  {
    kind: 'fact',
    topic: 'asked to remember',
    importance: 8,
    slot: null,
    patterns: {
      en: "\\b(?:remember|keep in mind|bear in mind|note|don't forget|do not forget)(?: please)? that\\b|^(?:please )?remember:? (?!when|how|the time)\\p{L}",
      es: '\\b(?:recuerda|recuerde|ten en cuenta|tenga en cuenta|no olvides|apunta) que\\b',
      fr: "\\b(?:retiens|retenez|souviens-toi|souvenez-vous|n'oublie pas|n'oubliez pas|note|notez) que\\b",
      ru: '(?:запомни|запомните|имей в виду|имейте в виду|не забудь|не забывай|учти|учтите),? что|^(?:запомни|запомните)[:,] ',
      zh: '(?:请)?(?:記住|记住|记得|記得|别忘了|別忘了|不要忘记|不要忘記)(?!了吗|吗|嗎)',
      ar: '(?:تذكر|تذكري|لا تنس|ضع في اعتبارك) (?:أن|ان|أنني|انني|أني|اني)',
    },
  },
]
