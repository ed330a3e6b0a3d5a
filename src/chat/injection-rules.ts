/**
 * Patterns of the injection guard. They run over folded text (NFKC, lower case, no invisible characters, one space).
 * Every gap is bounded, so a scan is linear. Precision before recall: a rule wants the verb, the target and a word that
 * ties the two to the model itself.
 */
export interface InjectionRule {
  name: string
  /** The pattern cannot match a text that holds none of these: most texts are done with after this look. */
  needles: readonly string[]
  pattern: RegExp
}

const GAP = '[^.!?\\n。！？]{0,40}?'
/** `needles` are separated by bars; for the template tokens too, whose own bar is left out. */
const rule = (name: string, needles: string, source: string): InjectionRule => ({
  name,
  needles: needles.split('|'),
  pattern: new RegExp(source, 'u'),
})

/** Telling the model to drop what it was told. */
const OVERRIDE: InjectionRule[] = [
  rule(
    'override-en',
    'instruction|prompt|direction|directive|programming|guardrail|safety|orders|command',
    String.raw`\b(?:ignore|disregard|forget|override|bypass|discard|do not follow|don'?t follow|stop following|pay no attention to|do not obey|skip)\b${GAP}\b(?:previous|prior|preceding|earlier|above|all|any|your|system|initial|original|foregoing|existing|these|those|my last)\b${GAP}\b(?:instructions?|prompts?|directions?|directives?|programming|guardrails|safety (?:rules|guidelines|protocols)|orders|commands)\b`,
  ),
  rule(
    'override-above-en',
    'instruction|prompt|direction',
    String.raw`\b(?:ignore|disregard|forget|override|bypass|do not follow|don'?t follow) (?:the |these |those )?(?:instructions?|prompts?|directions?)(?: (?:that were |you were |given |written |stated ))*(?: above| before this| so far| from (?:your|the) (?:developer|system|creator))`,
  ),
  rule(
    'override-rules-en',
    'your|system',
    String.raw`\b(?:ignore|disregard|forget|override|bypass|discard|break|do not follow|don'?t follow)\b (?:all |any |every |each |about |of |the )*(?:your|(?:previous|prior|above|earlier) system)\b${GAP}\b(?:rules?|guidelines?|restrictions?|constraints?|limitations?|filters?|polic(?:y|ies)|training|safeguards?)\b`,
  ),
  rule(
    'forget-everything-en',
    'forget|ignore|disregard',
    String.raw`\b(?:forget|ignore|disregard) (?:absolutely )?(?:everything|all|anything)(?: that)? (?:you(?:'ve| have)? (?:been|were) told|you were (?:given|instructed)|(?:written |said |stated )?(?:above|before (?:this|now))|you know about your|i said before and)\b`,
  ),
  rule(
    'new-instructions-en',
    'instruction|prompt|directive',
    String.raw`\b(?:new|updated|real|actual|true) (?:system )?(?:instructions?|prompt|directives?) ?(?::|follows?\b|begin\b|override)`,
  ),
  rule(
    'new-task-en',
    'your new |your real |your actual |your true |your only ',
    String.raw`\byour (?:new|real|actual|true|only) (?:task|goal|objective|purpose|instructions?|role|job) (?:is|are)\b(?! to help)`,
  ),
  rule(
    'override-es',
    'instruccion|indicacion|órdenes|ordenes|directrices|reglas|restriccion',
    String.raw`(?<!\p{L})(?:ignora|ignore|ignorad|olvida|olvide|olvidad|descarta|omite|omita|no sigas|no obedezcas|desobedece)(?:te)?(?!\p{L})${GAP}(?:(?:todas|tus|sus)(?!\p{L})${GAP}(?:instrucciones|indicaciones|[óo]rdenes|directrices|restricciones)|(?:instrucciones|indicaciones|[óo]rdenes|directrices|reglas|restricciones)${GAP}(?:anteriores|previas|del sistema|originales|iniciales|de arriba)(?!\p{L}))`,
  ),
  rule(
    'override-fr',
    'instruction|consigne|directive|règle|regle',
    String.raw`(?<!\p{L})(?:ignore[zr]?|oublie[zr]?|n[ée]glige[zr]?|ne (?:suis|suivez|respecte[zr]?) (?:pas|plus)|fais abstraction de|faites abstraction de)(?!\p{L})${GAP}(?:instructions?|consignes?|directives?|r[èe]gles)(?!\p{L})${GAP}(?:pr[ée]c[ée]dentes?|ant[ée]rieures?|ci-dessus|initiales?|du syst[èe]me|syst[èe]me|d'origine|re[çc]ues)`,
  ),
  rule(
    'override-fr-own',
    'instruction|consigne|directive|règle|regle|restriction',
    String.raw`(?<!\p{L})(?:ignore[zr]?|oublie[zr]?|ne (?:suis|suivez) (?:pas|plus))(?!\p{L}) (?:toutes )?(?:tes|vos) (?:instructions?|consignes?|directives?|r[èe]gles|restrictions?)`,
  ),
  rule(
    'override-ru',
    'инструкц|указан|правил|команд|промпт|директив|ограничен',
    String.raw`(?<!\p{L})(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не следуй(?:те)?|отмени(?:те)?|не обращай(?:те)? внимания на|пренебреги(?:те)?|отбрось(?:те)?)(?!\p{L})${GAP}(?:предыдущ\p{L}*|прежн\p{L}*|все|всё|всем|свои\p{L}*|сво\p{L}*|твои\p{L}*|ваши\p{L}*|системн\p{L}*|вышеуказанн\p{L}*|изначальн\p{L}*)(?!\p{L})${GAP}(?:инструкци\p{L}*|указани\p{L}*|правил\p{L}*|команд\p{L}*|промпт\p{L}*|директив\p{L}*|ограничени\p{L}*)`,
  ),
  rule(
    'override-zh',
    '指令|指示|提示|规则|規則|设定|設定|命令|约束|約束|限制|要求|准则|準則',
    String.raw`(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|不要遵守|不要遵循|别管|別管|抛开|拋開|跳过|跳過|违反|違反|绕过|繞過)[^。！？\n]{0,12}(?:之前|以前|先前|上面|以上|前面|所有|一切|全部|你的|您的|你被|系统|系統|原来|原來|原有|既定)[^。！？\n]{0,12}(?:指令|指示|提示|规则|規則|设定|設定|命令|约束|約束|限制|要求|准则|準則)`,
  ),
  rule(
    'override-ar',
    'تعليمات|أوامر|الأوامر|قواعد|القواعد|توجيهات|التوجيهات|القيود|قيود',
    `(?:تجاهل|تجاهلي|تجاهلوا|انس|انسى|إنس|لا تتبع|لا تلتزم|تخط|تخطى)${GAP}(?:التعليمات|تعليماتك|الأوامر|أوامرك|القواعد|قواعدك|التوجيهات|توجيهاتك|القيود|قيودك)`,
  ),
]

/** Taking the model out of its role. */
const JAILBREAK: InjectionRule[] = [
  rule(
    'mode-en',
    'dan|stan|aim|evil|unrestricted|unfiltered|uncensored|jailbroken|developer mode|debug mode|god mode|sudo mode|root mode|amoral|rogue',
    String.raw`\b(?:you are|you're|you will be|act as|be|become|pretend to be|pretend you are|roleplay as|simulate|imagine you are|behave as|behave like) (?:now )?(?:in |a |an |my |the )*(?:dan|stan|aim|evil(?:gpt|bot| ai)?|unrestricted|unfiltered|uncensored|jailbroken|developer mode|debug mode|god mode|sudo mode|dan mode|root mode|amoral|rogue)\b`,
  ),
  rule(
    'mode-switch-en',
    'dan mode|god mode|jailb|unrestricted|uncensored|unfiltered|limit|do anything now',
    String.raw`\b(?:enable|enter|activate|switch to|turn on|go into|engage) (?:your |the )?(?:dan|god|jailbreak|jailbroken|unrestricted|uncensored|unfiltered|no[- ]limits?) mode\b|\bdo anything now\b`,
  ),
  rule(
    'no-limits-en',
    'pretend|imagine|assume|act as if|act like|behave as if|suppose|respond as if|answer as if',
    String.raw`\b(?:pretend|imagine|assume|act as if|act like|behave as if|suppose|respond as if|answer as if)\b${GAP}\byou(?:'re| are| have| had| do| were| can)?\b${GAP}\b(?:no|without|not bound by|free (?:of|from)|not subject to|not have|ignore|never had)\b(?: any| your| the| all)*${GAP}\b(?:restrictions?|rules?|limits?|limitations?|filters?|guidelines?|ethic(?:s|al)|moral|censorship|constraints?|safety|polic(?:y|ies))\b`,
  ),
  rule(
    'no-limits-2-en',
    'without |you have no|you now have no|you are free|you are now|you are no longer',
    String.raw`\b(?:answer|respond|reply|speak|talk|write|comply)\b${GAP}\bwithout (?:any |your )*(?:restrictions?|filters?|censorship|ethical|moral|safety|guidelines|moderation)\b|\byou (?:now )?have no (?:more |longer )?(?:any )?(?:restrictions|rules|limits|filters|guidelines|ethics)\b|\byou are (?:now |no longer )(?:free|bound|restricted|limited)\b${GAP}\b(?:rules|restrictions|guidelines|polic(?:y|ies)|openai|filters|anything)\b`,
  ),
  rule(
    'from-now-en',
    'from now on',
    String.raw`\bfrom now on,? you (?:will|must|are|shall|have to) (?:not |never |only |always |now )*(?:refuse|ignore|obey|act as|pretend|answer anything|do anything|be (?:a|an|my)|a different|an? (?:unrestricted|evil))`,
  ),
  rule(
    'jailbreak-es',
    'sin |no tienes|no tuvieras|modo |malvada',
    String.raw`(?<!\p{L})(?:act[úu]a como|finge (?:que )?(?:eres|ser|no)|haz como si|imagina que|ahora eres|eres ahora|simula(?: ser)?)(?!\p{L})${GAP}(?:sin (?:ning[uú]na? )?(?:restricci[óo]n|restricciones|filtros?|l[íi]mites?|reglas|censura)|no (?:tienes|tuvieras) (?:restricciones|reglas|l[íi]mites|filtros)|modo (?:dan|desarrollador|dios)|una? ia (?:malvada|sin))`,
  ),
  rule(
    'jailbreak-fr',
    "sans |n'as |n'avais|n'avez|n'aviez|mode |maléfique|malefique",
    String.raw`(?<!\p{L})(?:agis comme|agissez comme|fais comme si|faites comme si|fais semblant|imagine que|tu es maintenant|vous [êe]tes maintenant|pr[ée]tends)(?!\p{L})${GAP}(?:sans (?:aucune? )?(?:restrictions?|filtres?|limites?|r[èe]gles|censure)|(?:n'as|n'avais|n'avez|n'aviez) (?:aucune|pas de|plus de) (?:restrictions?|r[èe]gles?|limites?|filtres?)|mode (?:dan|d[ée]veloppeur|dieu)|une ia (?:mal[ée]fique|sans))`,
  ),
  rule(
    'jailbreak-ru',
    'ограничен|фильтр|правил|цензур|запрет|режиме|dan',
    String.raw`(?<!\p{L})(?:представь(?:те)?|притворись|притворитесь|веди себя|действуй|отвечай(?:те)?|ты теперь|теперь ты|вы теперь|сыграй роль|играй роль)(?!\p{L})${GAP}(?:без (?:каких-либо |всяких |любых )?(?:ограничени\p{L}*|фильтр\p{L}*|правил|цензур\p{L}*)|нет (?:никаких )?(?:ограничени\p{L}*|правил|запрет\p{L}*)|в режиме (?:разработчика|бога|dan)|(?<!\p{L})dan(?!\p{L}))`,
  ),
  rule(
    'jailbreak-zh',
    '限制|约束|約束|规则|規則|道德|审查|審查|越狱|越獄|开发者模式|開發者模式|dan',
    String.raw`(?:假装|假裝|扮演|想象|想像|假设|假設|你现在是|你現在是|从现在起你|從現在起你|从现在开始,?你|從現在開始,?你)[^。！？\n]{0,20}(?:没有任何限制|沒有任何限制|不受(?:任何)?(?:限制|约束|約束)|没有限制|沒有限制|无限制|無限制|不受规则|没有规则|沒有規則|没有道德|沒有道德|没有审查|沒有審查|越狱|越獄|开发者模式|開發者模式|dan)`,
  ),
  rule(
    'jailbreak-ar',
    'قيود|قواعد|حدود|رقابة|فلاتر|المطور',
    `(?:تظاهر|تخيل|تصرف|أنت الآن|مثل دور)${GAP}(?:بدون (?:أي )?(?:قيود|قواعد|حدود|رقابة|فلاتر)|بلا (?:قيود|قواعد|حدود|رقابة)|ليس لديك (?:أي )?(?:قيود|قواعد)|وضع المطور)`,
  ),
]

/** Asking for the instructions themselves. */
const EXTRACTION: InjectionRule[] = [
  rule(
    'extract-en',
    'prompt|instruction|system message|developer message',
    String.raw`\b(?:show|reveal|print|repeat|output|display|tell|give|share|write|leak|dump|expose|recite|paraphrase|summari[sz]e|translate|copy|paste|return|encode|spell|read)\b${GAP}\b(?:your|the (?:hidden|secret|initial|original|full|exact|entire|complete))\b (?:\w+ ){0,2}(?:system prompt|system message|developer message|developer prompt|pre-?prompt|initial prompt|hidden prompt|initial instructions|original instructions|hidden instructions|secret instructions|system instructions|internal instructions|prompt)\b`,
  ),
  rule(
    'extract-what-en',
    'prompt|instruction|system message|developer message',
    String.raw`\bwhat(?:'s| is| are| was| were| does| do)\b (?:in )?(?:all )?your (?:\w+ )?(?:system prompt|system message|developer message|pre-?prompt|initial prompt|hidden prompt|initial instructions|original instructions|hidden instructions|secret instructions|system instructions|internal instructions)\b`,
  ),
  rule(
    'extract-verbatim-en',
    'verbatim|word for word|exactly as|in full|you were given|you have been given|above this|code block|starting with',
    String.raw`\b(?:print|repeat|reveal|recite|output|leak|dump|show|write out|give me)\b${GAP}\b(?:your|the|all) (?:\w+ )?(?:instructions|prompt|rules|guidelines)\b${GAP}\b(?:verbatim|word for word|exactly as|in full|you were given|you have been given|above this|code block|starting with)\b`,
  ),
  rule(
    'extract-above-en',
    ' above',
    String.raw`\b(?:repeat|print|output|copy|paste|recite)\b${GAP}\b(?:everything|all|the (?:text|words?|content|message|lines?|paragraphs?|instructions?|sentences?))(?: (?:that is|that was|which is|written|of the|of this|text|words|content|conversation|in the)){0,2} above\b`,
  ),
  rule(
    'extract-begin-en',
    'you are a |you are an |you are the |you are chatgpt|you are parley',
    String.raw`\b(?:repeat|print|output|start|begin|begins|starting|continue)\b${GAP}\b(?:with|from) (?:the (?:words|phrase) )?["'“]?you are (?:a|an|the|chatgpt|parley)\b`,
  ),
  rule(
    'extract-told-en',
    'told|instructed|programmed|prompted',
    String.raw`\bwhat (?:were you|have you been|are you) (?:told|instructed|programmed|prompted) (?:to do )?(?:by your (?:developers?|creators?|system)|in your (?:system )?(?:prompt|instructions)|before this (?:conversation|chat|message))`,
  ),
  rule(
    'extract-es',
    'prompt|sistema|instruccion',
    String.raw`(?<!\p{L})(?:muestra|mu[ée]strame|revela|rev[ée]lame|imprime|repite|dime|dame|escribe|cu[áa]l es|cu[áa]les son|comparte|traduce|copia)(?!\p{L})${GAP}(?:(?:tu|tus|su|sus) (?:prompt|mensaje de sistema|mensaje del sistema|instrucciones (?:iniciales|originales|ocultas|secretas|del sistema|de sistema|internas|exactas))|(?:el|tu) prompt (?:del|de) sistema|prompt (?:inicial|oculto|secreto))`,
  ),
  rule(
    'extract-fr',
    'prompt|système|systeme|instruction|consigne',
    String.raw`(?<!\p{L})(?:montre|affiche|r[ée]v[èe]le|r[ée]p[èe]te|imprime|donne|dis|[ée]cris|quel est|quelles? sont|partage|traduis|copie|montrez|affichez|r[ée]v[ée]lez|r[ée]p[ée]tez|donnez)(?:-moi)?(?!\p{L})${GAP}(?:(?:ton|votre) (?:prompt|message syst[èe]me|invite syst[èe]me)|(?:tes|vos) (?:instructions|consignes) (?:initiales|d'origine|cach[ée]es|secr[èe]tes|syst[èe]me|internes|exactes)|prompt (?:syst[èe]me|initial|cach[ée]))`,
  ),
  rule(
    'extract-ru',
    'промпт|системн|инструкц',
    String.raw`(?<!\p{L})(?:покажи(?:те)?|раскрой(?:те)?|выведи(?:те)?|повтори(?:те)?|напечатай(?:те)?|напиши(?:те)?|скажи(?:те)?|дай(?:те)?|какой|каков|каковы|какие|процитируй(?:те)?|переведи(?:те)?)(?!\p{L})${GAP}(?:(?:сво[йеию]\p{L}*|тво[йеию]\p{L}*|ваш\p{L}*|у тебя|у вас) (?:\p{L}+ )?(?:промпт\p{L}*|системн\p{L}* (?:сообщени\p{L}*|инструкци\p{L}*|подсказк\p{L}*|промпт\p{L}*)|(?:исходн|начальн|первоначальн|скрыт|секретн|внутренн)\p{L}* инструкци\p{L}*)|системн\p{L}* промпт\p{L}*)`,
  ),
  rule(
    'extract-zh',
    '提示|指令|指示|设定|設定|消息|訊息|prompt|内容|內容|文字',
    String.raw`(?:显示|顯示|告诉我|告訴我|输出|輸出|打印|列出|重复|重複|复述|複述|泄露|洩露|透露|写出|寫出|给我看|給我看|翻译|翻譯|公开|公開|是什么|是什麼)?[^。！？\n]{0,10}(?:你|您)的?(?:系统|系統|初始|原始|隐藏|隱藏|秘密|内部|內部|完整)(?:的)?(?:提示词?|提示詞|指令|指示|设定|設定|消息|訊息|prompt)|(?:重复|重複|复述|複述|输出|輸出|打印)[^。！？\n]{0,8}(?:上面|以上|前面)[^。！？\n]{0,6}(?:所有|全部|内容|內容|文字|指令|提示)`,
  ),
  rule(
    'extract-ar',
    'تعليمات|النظام',
    `(?:أظهر|اعرض|اكشف|اطبع|كرر|أعطني|اكتب|ما هي|ما هو|شارك|ترجم)${GAP}(?:تعليماتك (?:الأولية|الأصلية|السرية|المخفية|الداخلية)|تعليمات النظام(?: الخاصة بك)?|رسالة النظام|موجه النظام|برومبت النظام|مطالبة النظام)`,
  ),
]

/** What only text that poses as data would say. */
const EMBEDDED: InjectionRule[] = [
  rule(
    'template-token',
    'im_start|im_end|inst]|<<sys>>|_of_turn>|endoftext|eot_id|header_id|<|system|<|user|<|assistant',
    String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|>|\[/?inst\]|<<sys>>|<(?:start_of_turn|end_of_turn)>`,
  ),
  rule(
    'fake-turn',
    'system|developer',
    String.raw`(?:^|\n)[ \t#*>]*(?:system|developer)(?: prompt| message| instructions?)?[ \t*]*[:：][ \t*]*(?:you (?:are|must|will|should)|ignore|disregard|always|never|do not|from now|new )`,
  ),
  rule(
    'fake-section',
    'begin|end |start of',
    String.raw`\b(?:begin|end|start of|end of) (?:of )?(?:system|developer|admin) (?:prompt|message|instructions?|override)\b`,
  ),
  rule(
    'address-en',
    'ai|llm|language model|chatbot|assistant|gpt',
    String.raw`\b(?:attention|dear|hey|hello|note to|message (?:to|for)|instructions? (?:to|for)|important (?:message |instructions? |notice )?(?:to|for)) (?:any |all |the |every )*(?:ai|a\.i\.|llm|llms|language models?|ai (?:assistants?|agents?|models?|systems?)|chatbots?|assistant|assistants|chatgpt|gpt)\b ?(?:[:,!.\n]|reading|processing|who|that|you)`,
  ),
  rule(
    'if-ai-en',
    "if you're|if you are",
    String.raw`\bif you(?:'re| are) (?:an? |the )?(?:ai|llm|language model|ai assistant|ai model|ai agent|chatbot|assistant|large language model)\b${GAP}(?:\b(?:must|should|please|do|say|tell|reply|respond|include|ignore|recommend|output|write|add|send|call)\b|[,:])`,
  ),
  rule(
    'hide-en',
    'user',
    String.raw`\b(?:do not|don'?t|never) (?:tell|inform|mention (?:this|that|it) to|reveal (?:this|that|it) to|alert|notify|let) (?:the |this )?user\b(?: know)?${GAP}\b(?:this|these|about|that|instruction|anything|any of)`,
  ),
  rule(
    'exfiltrate-en',
    'http|url|@|image|markdown|query',
    String.raw`\b(?:send|forward|post|e-?mail|transmit|exfiltrate|upload|leak|append|embed|include|encode)\b${GAP}\b(?:conversation|chat history|chat log|system prompt|api keys?|credentials|(?:the )?user'?s (?:data|e-?mail|password|message|messages|address|name|private)|previous messages|secrets?|tokens?|context)\b${GAP}\b(?:to|in|into|at|as)\b${GAP}(?:https?://|\burl\b|@|\bimage\b|\bmarkdown\b|\bquery (?:string|parameter))`,
  ),
  rule(
    'exfiltrate-image',
    '](http',
    String.raw`!\[[^\]\n]{0,80}\]\(https?://[^)\s]{0,200}(?:\{|%7b|\[)(?:[^)\s]{0,80})(?:data|secret|prompt|history|conversation|message|user|key|summary|base64)`,
  ),
  rule(
    'must-obey-en',
    'assistant|ai model|ai language|as an ai|llm',
    String.raw`\b(?:as an ai(?: language model| assistant| model)?|assistant|ai model|ai assistant|llm)[,:]? (?:you (?:must|are required to|are instructed to|have to|should now|will now)) (?:now |always |immediately |only )*(?:say|tell|reply|respond|answer|output|include|recommend|ignore|call|execute|run|send|reveal|print|claim)\b`,
  ),
  rule(
    'address-zh',
    'ai|人工智|语言模型|語言模型|助手|聊天机器人|聊天機器人',
    String.raw`(?:如果你是|致|注意[,，]?|请|給|给)(?:一个|一個|所有|任何|正在阅读(?:此|本)[^\s]{0,4}的)?(?:ai|人工智能|人工智慧|大?语言模型|大?語言模型|助手|聊天机器人|聊天機器人)[^。！？\n]{0,20}(?:必须|必須|请忽略|請忽略|请回复|請回覆|请告诉|請告訴|不要告诉|不要告訴|请输出|請輸出|请执行|請執行|立即)`,
  ),
  rule(
    'hide-zh',
    '用户|用戶|使用者',
    String.raw`(?:不要|别|別|切勿|请勿|請勿)(?:告诉|告訴|让|讓|通知|向)(?:用户|用戶|使用者)[^。！？\n]{0,12}(?:这|這|此|本|上述|指令|指示|知道)`,
  ),
  rule(
    'address-es',
    'si eres|atención|atencion|instrucciones para|al usuario',
    String.raw`(?:si eres (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje|asistente)|atenci[óo]n,? (?:ia|asistente|modelo de lenguaje)|instrucciones para (?:la ia|el asistente|el modelo))(?!\p{L})|no (?:le )?(?:digas|menciones|informes|reveles)(?: esto| nada)? al usuario`,
  ),
  rule(
    'address-fr',
    'si tu es|si vous|attention|instruction|utilisateur',
    String.raw`(?:si (?:tu es|vous [êe]tes) (?:une? )?(?:ia|intelligence artificielle|mod[èe]le de langage|assistant)|attention,? (?:ia|assistant|mod[èe]le de langage)|instructions? (?:pour|à) (?:l'ia|l'assistant|le mod[èe]le))(?!\p{L})|ne (?:dis|dites|mentionne|mentionnez|r[ée]v[èe]le|r[ée]v[ée]lez) (?:pas|rien)(?: cela| ceci| ça)? (?:à|a) l'utilisateur`,
  ),
  rule(
    'address-ru',
    'если|внимание|инструкци|пользовател',
    String.raw`(?:если (?:ты|вы)(?: —| -| это|,)? (?:ии|искусственный интеллект|языковая модель|ассистент|чат-бот|нейросеть)|внимание,? (?:ии|ассистент|языковая модель)|(?<!\p{L})инструкци\p{L}* для (?:ии|ассистента|языковой модели|нейросети|модели))(?!\p{L})|не (?:говори|сообщай|рассказывай|упоминай)(?:те)? (?:об этом |этого |это )?пользовател\p{L}*`,
  ),
  rule(
    'address-ar',
    'إذا كنت|تعليمات|انتباه|لا تخبر',
    `(?:إذا كنت (?:نموذج|ذكاء|مساعد)|تعليمات (?:للذكاء الاصطناعي|للمساعد|للنموذج)|انتباه[،,]? (?:أيها )?(?:الذكاء|المساعد))|لا تخبر المستخدم`,
  ),
]

/** Rules for text that comes as data: retrieved chunks, tool results. */
export const DATA_RULES: readonly InjectionRule[] = [
  ...OVERRIDE,
  ...JAILBREAK,
  ...EXTRACTION,
  ...EMBEDDED,
]
/** Rules for what a user writes. */
export const MESSAGE_RULES: readonly InjectionRule[] = [...OVERRIDE, ...JAILBREAK, ...EXTRACTION]
