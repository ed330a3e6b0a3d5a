/**
 * What turns a sentence round, for `eval:claims`: words of which one takes another's place, and made tables and lists. Its own
 * lists, not the product's. `table` is a header with three rows of names, `says` reads two of a row's cells; of `lists` each
 * item stands below one of the leads, and `says` reads an item with its lead.
 */
export const TURNS = {
  en: {
    ordinals: 'first/second last/first second/third third/second first/last fourth/third',
    comparisons:
      'larger/smaller largest/smallest higher/lower highest/lowest older/younger longer/shorter better/worse earlier/later later/earlier faster/slower oldest/newest more/less less/more greater/smaller bigger/smaller lower/higher longest/shortest',
    opposites:
      'north/south south/north east/west west/east northern/southern southern/northern eastern/western western/eastern increased/decreased increase/decrease left/right inside/outside upper/lower male/female early/late late/early beginning/end won/lost defeated/lost',
    times: 'before/after after/before since/until until/since during/after',
    currencies: 'dollars/euros dollar/euro pounds/dollars euros/dollars US$/€ $/£ £/$',
    joints: [
      [' and ', ' or '],
      ['both ', 'neither '],
      ['either ', 'neither '],
    ],
    denial: 'It is not true that ',
    and: ' and ',
    table: {
      header: ['Plan', 'Price', 'Users', 'Storage'],
      rows: ['Basic', 'Team', 'Business'],
      says: (row, [one, other]) => `The ${row} plan has a ${one} and ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} of ${value}`,
    },
    lists: {
      leads: ['The basic plan includes:', 'The business plan includes:'],
      items: ['single sign-on', 'weekly reports', 'telephone support', 'an audit log'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  es: {
    ordinals:
      'primer/segundo primera/segunda primero/último última/primera segundo/tercero segunda/primera tercer/segundo último/primer',
    comparisons:
      'mayor/menor menor/mayor mejor/peor superior/inferior inferior/superior más/menos menos/más mayores/menores',
    opposites:
      'norte/sur sur/norte este/oeste oeste/este aumentó/disminuyó aumento/descenso izquierda/derecha dentro/fuera interior/exterior principio/final ganó/perdió temprano/tarde',
    times: 'antes/después después/antes desde/hasta durante/después',
    currencies: 'dólares/euros euros/dólares libras/dólares $/€',
    joints: [[' y ', ' o ']],
    denial: 'No es cierto que ',
    and: ' y ',
    table: {
      header: ['Plan', 'Precio', 'Usuarios', 'Espacio'],
      rows: ['Básico', 'Equipo', 'Empresa'],
      says: (row, [one, other]) => `El plan ${row} tiene ${one} y ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} de ${value}`,
    },
    lists: {
      leads: ['El plan básico incluye:', 'El plan de empresa incluye:'],
      items: [
        'inicio de sesión único',
        'informes semanales',
        'atención telefónica',
        'un registro de auditoría',
      ],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  ru: {
    ordinals:
      'первый/второй первой/второй первая/вторая первого/второго второй/третий последний/первый первым/последним первые/последние третий/второй',
    comparisons:
      'больше/меньше более/менее выше/ниже крупнейший/мельчайший лучше/хуже старше/младше раньше/позже позже/раньше меньше/больше высокий/низкий больший/меньший',
    opposites:
      'севере/юге юге/севере восточной/западной западной/восточной северной/южной южной/северной увеличилось/уменьшилось увеличение/снижение внутри/снаружи начале/конце левой/правой востоке/западе западе/востоке',
    times: 'до/после после/до раньше/позже',
    currencies: 'долларов/рублей рублей/долларов долларов/евро $/€ фунтов/долларов',
    joints: [[' и ', ' или ']],
    denial: 'Неверно, что ',
    and: ' и ',
    table: {
      header: ['Тариф', 'Цена', 'Пользователи', 'Хранилище'],
      rows: ['Базовый', 'Командный', 'Деловой'],
      says: (row, [one, other]) => `Тариф ${row}: ${one}, ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} ${value}`,
    },
    lists: {
      leads: ['Базовый тариф включает:', 'Деловой тариф включает:'],
      items: ['единый вход', 'еженедельные отчёты', 'телефонную поддержку', 'журнал аудита'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  de: {
    ordinals:
      'erste/zweite ersten/zweiten zweite/dritte zweiten/dritten dritte/zweite letzte/erste letzten/ersten erster/zweiter erstes/letztes',
    comparisons:
      'größer/kleiner größte/kleinste größten/kleinsten höher/niedriger höchste/niedrigste älter/jünger älteste/jüngste länger/kürzer besser/schlechter früher/später später/früher mehr/weniger weniger/mehr höchsten/niedrigsten',
    opposites:
      'Norden/Süden Süden/Norden Osten/Westen Westen/Osten nördlich/südlich südlich/nördlich östlich/westlich stieg/sank innerhalb/außerhalb Anfang/Ende Ende/Anfang gewann/verlor links/rechts oben/unten erhöht/gesenkt',
    times: 'vor/nach nach/vor seit/bis bis/seit während/nach',
    currencies: 'Dollar/Euro Euro/Dollar Pfund/Dollar $/€',
    joints: [
      [' und ', ' oder '],
      ['sowohl ', 'weder '],
    ],
    denial: 'Es stimmt nicht, dass ',
    and: ' und ',
    table: {
      header: ['Tarif', 'Preis', 'Nutzer', 'Speicher'],
      rows: ['Basis', 'Team', 'Firma'],
      says: (row, [one, other]) => `Der Tarif ${row} hat ${one} und ${other}.`,
      cell: (name, value) => `${name} ${value}`,
    },
    lists: {
      leads: ['Der Tarif Basis enthält:', 'Der Tarif Firma enthält:'],
      items: [
        'eine zentrale Anmeldung',
        'wöchentliche Berichte',
        'Hilfe am Telefon',
        'ein Prüfprotokoll',
      ],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  tr: {
    ordinals: 'ilk/son birinci/ikinci ikinci/üçüncü üçüncü/ikinci son/ilk ilk/ikinci',
    comparisons:
      'büyük/küçük küçük/büyük yüksek/düşük düşük/yüksek fazla/az az/fazla uzun/kısa iyi/kötü eski/yeni yeni/eski',
    opposites:
      'kuzey/güney güney/kuzey doğu/batı batı/doğu kuzeyinde/güneyinde güneyinde/kuzeyinde arttı/azaldı sol/sağ iç/dış başında/sonunda sonunda/başında kuzeye/güneye kazandı/kaybetti',
    times: 'önce/sonra sonra/önce önceki/sonraki',
    currencies: 'dolar/avro avro/dolar sterlin/dolar doları/avrosu $/€ dolarlık/avroluk',
    joints: [[' ve ', ' veya ']],
    denial: 'Şu doğru değildir: ',
    and: ' ve ',
    table: {
      header: ['Plan', 'Fiyat', 'Kullanıcı', 'Depolama'],
      rows: ['Temel', 'Takım', 'Kurumsal'],
      says: (row, [one, other]) => `${row} planında ${one} ve ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} ${value}`,
    },
    lists: {
      leads: ['Temel plan şunları içerir:', 'Kurumsal plan şunları içerir:'],
      items: ['tek oturum açma', 'haftalık raporlar', 'telefon desteği', 'denetim günlüğü'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  zh: {
    ordinals: '第一/第二 第二/第三 第三/第二 最后/最先 首次/末次 第四/第三 首个/最后一个',
    comparisons:
      '大于/小于 高于/低于 低于/高于 最大/最小 最高/最低 更多/更少 更大/更小 多于/少于 早于/晚于 最早/最晚 优于/劣于 较大/较小 较高/较低 最长/最短',
    opposites:
      '北部/南部 南部/北部 东部/西部 西部/东部 增加/减少 上升/下降 减少/增加 下降/上升 内部/外部 初期/末期 胜利/失败 左侧/右侧 北方/南方 南方/北方 进口/出口 早期/晚期 以北/以南 男性/女性',
    times: '之前/之后 之后/之前 以前/以后 以后/以前 前/后',
    currencies: '美元/欧元 欧元/美元 元/日元 英镑/美元',
    joints: [
      ['和', '或'],
      ['或', '和'],
    ],
    denial: '以下说法不正确：',
    and: '并且',
    table: {
      header: ['套餐', '价格', '用户数', '存储'],
      rows: ['基础版', '团队版', '企业版'],
      says: (row, [one, other]) => `${row}的${one}，${other}。`,
      cell: (name, value) => `${name}为${value}`,
    },
    lists: {
      leads: ['基础版包括：', '企业版包括：'],
      items: ['单点登录', '每周报告', '电话支持', '审计日志'],
      says: (lead, item) => `${lead.slice(0, -1)}${item}。`,
    },
  },
  'zh-TW': {
    ordinals: '第一/第二 第二/第三 第三/第二 最後/最先 首次/末次 第四/第三 首個/最後一個',
    comparisons:
      '大於/小於 高於/低於 低於/高於 最大/最小 最高/最低 更多/更少 更大/更小 多於/少於 早於/晚於 最早/最晚 優於/劣於 較大/較小 較高/較低 最長/最短',
    opposites:
      '北部/南部 南部/北部 東部/西部 西部/東部 增加/減少 上升/下降 減少/增加 下降/上升 內部/外部 初期/末期 勝利/失敗 左側/右側 北方/南方 南方/北方 進口/出口 早期/晚期 以北/以南 男性/女性',
    times: '之前/之後 之後/之前 以前/以後 以後/以前 前/後',
    currencies: '美元/歐元 歐元/美元 元/日元 英鎊/美元',
    joints: [
      ['和', '或'],
      ['或', '和'],
    ],
    denial: '以下說法不正確：',
    and: '並且',
    table: {
      header: ['方案', '價格', '用戶數', '儲存'],
      rows: ['基礎版', '團隊版', '企業版'],
      says: (row, [one, other]) => `${row}的${one}，${other}。`,
      cell: (name, value) => `${name}為${value}`,
    },
    lists: {
      leads: ['基礎版包括：', '企業版包括：'],
      items: ['單一登入', '每週報告', '電話支援', '稽核日誌'],
      says: (lead, item) => `${lead.slice(0, -1)}${item}。`,
    },
  },
  ja: {
    ordinals: '第一/第二 第二/第三 最初/最後 最後/最初 初めて/最後に 第1/第2 1番目/2番目',
    comparisons:
      '最大/最小 最高/最低 より大きい/より小さい より多い/より少ない 高い/低い 低い/高い 多い/少ない 少ない/多い 長い/短い 大きい/小さい 最も多い/最も少ない 大きく/小さく 高く/低く 多く/少なく',
    opposites:
      '北部/南部 南部/北部 東部/西部 西部/東部 増加/減少 減少/増加 上昇/下降 前半/後半 内側/外側 北/南 南/北 左/右 開始/終了 勝利/敗北 東側/西側 西側/東側 男性/女性 輸出/輸入',
    times: '以前/以後 以後/以前 以降/以前 前に/後に 後に/前に 前/後',
    currencies: '円/ドル ドル/円 ユーロ/ドル',
    joints: [['または', 'および']],
    denial: '次のことは正しくない：',
    and: 'そして',
    table: {
      header: ['プラン', '料金', '利用者', '容量'],
      rows: ['基本', 'チーム', '法人'],
      says: (row, [one, other]) => `${row}プランは${one}、${other}である。`,
      cell: (name, value) => `${name}が${value}`,
    },
    lists: {
      leads: ['基本プランに含まれるもの：', '法人プランに含まれるもの：'],
      items: ['シングルサインオン', '週次レポート', '電話サポート', '監査ログ'],
      says: (lead, item) => `${lead.slice(0, -1)}は${item}である。`,
    },
  },
  fr: {
    ordinals:
      'première/deuxième premier/dernier dernière/première deuxième/troisième dernier/premier',
    comparisons:
      'plus/moins moins/plus supérieur/inférieur meilleur/pire longue/courte grand/petit',
    opposites:
      'début/fin gauche/droite haut/bas dedans/dehors active/désactive ouvert/fermé fin/début',
    times: 'avant/après après/avant depuis/jusqu’à pendant/après',
    currencies: 'dollars/euros euros/dollars',
    joints: [[' et ', ' ou ']],
    denial: 'Il est faux que ',
    and: ' et ',
    table: {
      header: ['Offre', 'Prix', 'Utilisateurs', 'Espace'],
      rows: ['Base', 'Équipe', 'Entreprise'],
      says: (row, [one, other]) => `L’offre ${row} a ${one} et ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} de ${value}`,
    },
    lists: {
      leads: ['L’offre de base comprend :', 'L’offre entreprise comprend :'],
      items: [
        'l’authentification unique',
        'des rapports hebdomadaires',
        'une aide par téléphone',
        'un journal d’audit',
      ],
      says: (lead, item) => `${lead.slice(0, -2)} ${item}.`,
    },
  },
  ar: {
    ordinals: 'الأول/الثاني الأولى/الثانية الثاني/الثالث الأخير/الأول الأخيرة/الأولى',
    comparisons: 'أكثر/أقل أقل/أكثر أكبر/أصغر أعلى/أدنى أطول/أقصر أحدث/أقدم',
    opposites: 'بداية/نهاية داخل/خارج يمين/يسار أعلى/أسفل',
    times: 'قبل/بعد بعد/قبل منذ/حتى',
    currencies: 'دولار/يورو',
    joints: [[' أو ', ' وكذلك ']],
    denial: 'ليس صحيحًا أن ',
    and: ' و',
    table: {
      header: ['الخطة', 'السعر', 'المستخدمون', 'التخزين'],
      rows: ['الأساسية', 'الفريق', 'الأعمال'],
      says: (row, [one, other]) => `خطة ${row}: ${one} و${other}.`,
      cell: (name, value) => `${name} ${value}`,
    },
    lists: {
      leads: ['تشمل الخطة الأساسية:', 'تشمل خطة الأعمال:'],
      items: ['تسجيل الدخول الموحد', 'تقارير أسبوعية', 'الدعم الهاتفي', 'سجل التدقيق'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
}
