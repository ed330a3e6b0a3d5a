export const VALUES = [
  'discount',
  'price',
  'phone',
  'email',
  'clock',
  'duration',
  'length',
  'weight',
  'year',
  'count',
] as const
/** What kind of thing a question asks for, where words alone tell it. */
export type AskedValue = (typeof VALUES)[number]

/** How such a question is put: patterns of folded text; where words are spaced, of whole words. */
export type AskedValues = Readonly<Partial<Record<AskedValue, string>>>

const raw = String.raw

const zh: AskedValues = {
  discount: '[优優]惠|折扣|打折|[几幾]折|[优優]待',
  price:
    '多少[钱錢]|怎[么麼]收[费費]|收[费費]多少|[费費]用多少|[价價]格(?:是?多少|怎)|收多少|[几幾][块塊][钱錢]|什[么麼][价價]',
  phone:
    '[电電][话話](?:[号號][码碼])?(?:是?多少|是什[么麼]|呢|$)|[电電][话話][几幾][号號]|什[么麼][电電][话話]',
  email: '[邮郵]箱(?:地址)?(?:是|$|呢)',
  clock: '[几幾][点點](?![心子])',
  duration:
    '多久|多[长長][时時][间間]|[几幾](?:分[钟鐘]|[个個]?小[时時]|天|周|[个個](?:星期|月)|年)|多少(?:分[钟鐘]|小[时時]|天|年)',
  length: '多高|多[宽寬]|多深|多[远遠]|限高|面[积積]多大|多少平',
  weight: '多重|多少公斤|多少斤',
  year: '哪一?年|什[么麼]年份|多大(?:年[纪紀龄齡]|[岁歲])|多少[岁歲]',
  count:
    '(?:多少|[几幾])(?:[个個](?![点點月])|位|[台臺]|名|人|[间間]|[辆輛]|本|[张張]|家|座|所|[层層]|件|套)',
}

export const ASKED_VALUES: Readonly<Record<string, AskedValues>> = {
  zh,
  'zh-TW': zh,
  en: {
    discount: raw`discounts?`,
    price: raw`how much (?:is|are|does|do|for|to|per|would|will)\b(?!.*\bweigh)|what (?:does|do|would|will) .*\bcost|^(?:the )?(?:cost|price|fee)s?|what (?:is|are|does) .*\b(?:price|fee|cost)s?`,
    phone: raw`(?:phone|telephone|fax|mobile|whatsapp) (?:number|no)|(?:what number do i|number to) (?:call|ring|text|fax)|^(?:the )?(?:phone|telephone) (?:of|for)`,
    email: raw`e ?-?mail address (?:of|for)|(?:what is|whats|what's) .*\be ?-?mail address|(?:who|where|what|which|whom) (?:do|can|should|could) (?:i|we) e-?mail`,
    clock: raw`(?<!over )what time|^(?:the )?(?:opening|business|office|visiting) (?:hours|times)|what are (?:the|your) (?:opening |business |office |visiting )?(?:hours|times)`,
    duration: raw`how long (?:does|do|until|before|can (?:i|we|you))\b(?!.* take\b)|how long\b.*\b(?:valid|kept|lasts?)|how many (?:minutes|hours|days|weeks|months|years)|how much (?:time|notice)`,
    length: raw`how (?:tall|wide|deep|far)`,
    weight: raw`how (?:heavy|much does .* weigh)`,
    year: raw`what year|^when (?:was|were) .*\b(?:built|founded|opened|started|established|born)|how old (?:is|are)`,
    count: raw`how many\b(?! (?:minutes|hours|days|weeks|months|years|times))`,
  },
  es: {
    discount: raw`descuentos?`,
    price: raw`cuanto\b.*\b(?:cuestan?|valen?)|cuanto (?:cobra[ns]?|cobrais|sale|es|son)|(?:que|cual es el) precio|^precios? (?:de|del)`,
    phone: raw`numero de (?:telefono|movil|fax|whatsapp)|que (?:telefono|movil|fax|whatsapp)|cual es (?:el|su) (?:telefono|movil|whatsapp)|^(?:el )?(?:telefono|whatsapp) (?:de|para|del)`,
    email: raw`que (?:correo|e-?mail)|cual es (?:el|su) (?:correo|e-?mail)`,
    clock: raw`(?:a|hasta|desde) que hora|que horarios?|^(?:el )?horarios?`,
    duration: raw`cuanto (?:duran?|tardan?|tiempo)|cuant[ao]s (?:minutos|horas|dias|semanas|meses|anos)`,
    length: raw`que (?:altura|anchura|profundidad|distancia)|cuanto miden?`,
    weight: raw`cuanto pesan?`,
    year: raw`(?:en|desde) que ano|desde cuando|cuantos anos tienen?|que edad`,
    count: raw`cuant[ao]s\b(?! (?:minutos|horas|dias|semanas|meses|anos|veces))`,
  },
  fr: {
    discount: raw`(?:remises?|reductions?)`,
    price: raw`combien (?:coutent?|ca coute|vaut|valent|est-ce|c'?est)|(?:c'est|coutent?) combien\b(?! d)|quels? (?:est le |sont les |est votre )?(?:prix|tarifs?)|^(?:prix|tarifs?)|prix$`,
    phone: raw`numero (?:de |direct )?(?:tel|telephone|fax|portable)|quel (?:est le )?telephone|^(?:le )?(?:telephone|tel) (?:de|du|pour)`,
    email: raw`quelle (?:est l[ae]'? ?)?adresse (?:mail|e-?mail|electronique)|^adresse (?:mail|e-?mail)|quel (?:mail|courriel|e-?mail)`,
    clock: raw`(?:a|jusqu'?a|vers|de) quelle heure|^(?:les )?horaires?|quels sont .*horaires|quelles? (?:sont les )?heures?`,
    duration: raw`combien d(?:e |')(?:temps|minutes|heures|jours|semaines|mois|annees|ans)|quelle (?:est la )?duree`,
    length: raw`quelle (?:est la )?(?:hauteur|largeur|profondeur|distance)|combien (?:mesure|de metres)`,
    weight: raw`(?:combien pese|quel (?:est le )?poids)`,
    year: raw`(?:en|depuis) quelle annee|depuis quand|quel age (?:a|ont)`,
    count: raw`combien d(?:e |')(?!(?:temps|minutes|heures|jours|semaines|mois|annees|ans|fois|argent)\b)\p{L}+`,
  },
  ru: {
    discount: raw`скидк\p{L}*`,
    price: `(?:сколько (?:.*)?сто[ия]т|сто[ия]т сколько|какая цена|какова (?:цена|стоимость)|почем|цена|стоимость)`,
    phone: `(?:номер телефона|какой (?:у .*)?телефон|по какому (?:телефону|номеру))|^телефон`,
    email: `(?:какой адрес (?:электронной )?почты|какая (?:электронная )?почта|на какую почту)`,
    clock: `(?:во сколько|(?:до|со|с) скольки(?! лет)|в котором часу|до которого часа|часы работы|режим работы|график работы)`,
    duration: `(?:сколько (?:времени|длится|минут|часов|дней|недель|месяцев|лет)|как долго)`,
    length: `(?:какой (?:высоты|ширины|глубины|длины)|какая (?:высота|ширина|глубина|длина)|как далеко)`,
    weight: `(?:сколько вес[ия]т|какой вес|какого веса)`,
    year: `(?:в каком году|с какого года|с каких пор)`,
    count: raw`(?<!(?:через|за) )сколько (?!стоит|стоят|времени|длится|идет|минут|часов|дней|недель|месяцев|лет|раз|будет|надо|нужно|платить|ждать|можно|денег|в |за |рублей)\p{L}+(?:ов|ев|ей|ий|ек|ок|и|ы)`,
  },
  de: {
    discount: raw`(?:rabatte?|ermassigung(?:en)?|nachlass)`,
    price: raw`was koste(?:t|n)|wie ?viel kostet|wie teuer|^preis`,
    phone: raw`(?:telefon|handy|fax|ruf)-?nummer|^telefon (?:von|vom|der)`,
    email: raw`welche (?:e-?)?mail|^e?-?mail-?adresse`,
    clock: raw`(?:um|ab|bis) wie ?viel uhr|^(?:offnungs|sprech)zeiten`,
    duration: raw`wie lange|wie ?viele? (?:minuten|stunden|tage|wochen|monate|jahre)`,
    length: raw`wie (?:tief|breit|weit)`,
    weight: raw`wie schwer (?:ist|sind)|wie ?viel wiegt`,
    year: raw`(?:in|seit) welchem jahr|seit wann|wie alt (?:ist|sind)`,
    count: raw`wie ?viele(?! (?:minuten|stunden|tage|wochen|monate|jahre))`,
  },
  ar: {
    discount: `(?:ال)?خصم`,
    price: `كم (?:سعر|ثمن|رسم|رسوم|تكلفة|يكلف|تكلف)|بكم|ما (?:هو )?(?:سعر|ثمن|تكلفة)`,
    phone: 'رقم (?:ال)?(?:هاتف|تلفون|تليفون|جوال|موبايل|واتساب)|^(?:هاتف|تلفون|تليفون)',
    email: '(?:ما|شو|ايش) (?:هو )?(?:ال)?(?:بريد|ايميل)',
    clock: 'الساعة كم|كم الساعة|اي ساعة|^(?:مواعيد|ساعات) (?:ال)?(?:عمل|دوام)',
    duration: 'كم (?:تستغرق|يستغرق|مدة|من الوقت|دقيقة|يوم|اسبوع|شهر|سنة|عام)|^مدة',
    length: 'كم (?:عرض|طول|عمق|ارتفاع|يبعد|تبعد)|ما (?:عرض|طول|عمق|ارتفاع)',
    weight: 'كم (?:وزن|يزن|تزن)|ما وزن',
    year: '(?:في|من) اي (?:سنة|عام)|منذ متى|كم عمر|ما عمر',
    count: 'كم عدد|^عدد',
  },
  tr: {
    discount: raw`indirim\p{L}*`,
    price: raw`ne kadar$|fiyati? ne|kac (?:lira|tl|para)`,
    phone: raw`telefon numara\p{L}*`,
    clock: raw`saat kac`,
    duration: raw`ne kadar surer|kac (?:dakika|saat|gun|hafta|ay|yil)`,
    count: raw`kac (?:tane|kisi|adet)`,
  },
  ja: {
    discount: '割引',
    price: 'いくら|料金は$',
    phone: '電話番号',
    clock: '何時(?!間)',
    duration: 'どのくらいの時間|何(?:分|時間|日|週間|か月|ヶ月|年)(?:間|かか)',
    count: '何(?:人|台|個|室|名)',
  },
}
