/**
 * Made tables and lists for the report half of `eval:claims`; those of `claims-turns.mjs` were tuned on. As there, but the last
 * column has words, one for each row and more.
 */
export const TABLES = {
  en: {
    table: {
      header: ['Room', 'Seats', 'Floor', 'Cleaned on'],
      rows: ['Linden', 'Harbour', 'Abbey'],
      values: ['Tuesday', 'Thursday', 'Saturday', 'Sunday'],
      says: (row, [one, other]) => `In the ${row} room, ${one} and ${other}.`,
      cell: (name, value) => `the ${name.toLowerCase()} column says ${value}`,
    },
    lists: {
      leads: ['Bring to the workshop:', 'Leave at the reception:'],
      items: ['a warm jacket', 'your own cup', 'wet umbrellas', 'large suitcases'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  es: {
    table: {
      header: ['Sala', 'Asientos', 'Planta', 'Limpieza'],
      rows: ['Olivo', 'Puerto', 'Abadía'],
      values: ['martes', 'jueves', 'sábado', 'domingo'],
      says: (row, [one, other]) => `La sala ${row}: ${one} y ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} ${value}`,
    },
    lists: {
      leads: ['Traiga al taller:', 'Deje en recepción:'],
      items: ['una chaqueta gruesa', 'su propia taza', 'paraguas mojados', 'maletas grandes'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  ru: {
    table: {
      header: ['Зал', 'Места', 'Этаж', 'Уборка'],
      rows: ['Липа', 'Гавань', 'Аббатство'],
      values: ['вторник', 'четверг', 'суббота', 'воскресенье'],
      says: (row, [one, other]) => `В зале «${row}» ${one}, ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} — ${value}`,
    },
    lists: {
      leads: ['Возьмите на занятие:', 'Оставьте на стойке:'],
      items: ['тёплую куртку', 'свою чашку', 'мокрые зонты', 'большие чемоданы'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  de: {
    table: {
      header: ['Raum', 'Plätze', 'Stockwerk', 'Reinigung'],
      rows: ['Linde', 'Hafen', 'Abtei'],
      values: ['Dienstag', 'Donnerstag', 'Samstag', 'Sonntag'],
      says: (row, [one, other]) => `Für den Raum ${row} gilt: ${one} und ${other}.`,
      cell: (name, value) => `${name} ${value}`,
    },
    lists: {
      leads: ['Bringen Sie zum Kurs mit:', 'Lassen Sie am Empfang:'],
      items: ['eine warme Jacke', 'eine eigene Tasse', 'nasse Schirme', 'große Koffer'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  tr: {
    table: {
      header: ['Salon', 'Koltuk', 'Kat', 'Temizlik'],
      rows: ['Ihlamur', 'Liman', 'Manastır'],
      values: ['salı', 'perşembe', 'cumartesi', 'pazar'],
      says: (row, [one, other]) => `${row} salonu için ${one} ve ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} ${value}`,
    },
    lists: {
      leads: ['Kursa getirin:', 'Resepsiyona bırakın:'],
      items: ['kalın bir ceket', 'kendi bardağınız', 'ıslak şemsiyeler', 'büyük bavullar'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
  zh: {
    table: {
      header: ['会议室', '座位', '楼层', '清洁日'],
      rows: ['菩提', '海港', '修道院'],
      values: ['星期二', '星期四', '星期六', '星期日'],
      says: (row, [one, other]) => `${row}会议室：${one}，${other}。`,
      cell: (name, value) => `${name}是${value}`,
    },
    lists: {
      leads: ['请带到课堂：', '请留在前台：'],
      items: ['厚外套', '自己的杯子', '湿雨伞', '大行李箱'],
      says: (lead, item) => `${lead.slice(0, -1)}${item}。`,
    },
  },
  'zh-TW': {
    table: {
      header: ['會議室', '座位', '樓層', '清潔日'],
      rows: ['菩提', '海港', '修道院'],
      values: ['星期二', '星期四', '星期六', '星期日'],
      says: (row, [one, other]) => `${row}會議室：${one}，${other}。`,
      cell: (name, value) => `${name}是${value}`,
    },
    lists: {
      leads: ['請帶到課堂：', '請留在櫃台：'],
      items: ['厚外套', '自己的杯子', '濕雨傘', '大行李箱'],
      says: (lead, item) => `${lead.slice(0, -1)}${item}。`,
    },
  },
  ja: {
    table: {
      header: ['会議室', '座席', '階', '清掃日'],
      rows: ['菩提樹', '港', '修道院'],
      values: ['火曜日', '木曜日', '土曜日', '日曜日'],
      says: (row, [one, other]) => `「${row}」の会議室では、${one}、${other}です。`,
      cell: (name, value) => `${name}は${value}`,
    },
    lists: {
      leads: ['講座に持参するもの：', '受付に預けるもの：'],
      items: ['厚い上着', '自分のコップ', '濡れた傘', '大きなかばん'],
      says: (lead, item) => `${lead.slice(0, -1)}は${item}です。`,
    },
  },
  fr: {
    table: {
      header: ['Salle', 'Places', 'Étage', 'Ménage'],
      rows: ['Tilleul', 'Port', 'Abbaye'],
      values: ['mardi', 'jeudi', 'samedi', 'dimanche'],
      says: (row, [one, other]) => `Pour la salle ${row}, ${one} et ${other}.`,
      cell: (name, value) => `${name.toLowerCase()} : ${value}`,
    },
    lists: {
      leads: ['Apportez à l’atelier :', 'Laissez à l’accueil :'],
      items: ['une veste chaude', 'votre tasse', 'les parapluies mouillés', 'les grandes valises'],
      says: (lead, item) => `${lead.slice(0, -2)} ${item}.`,
    },
  },
  ar: {
    table: {
      header: ['القاعة', 'المقاعد', 'الطابق', 'التنظيف'],
      rows: ['الزيتون', 'الميناء', 'الدير'],
      values: ['الثلاثاء', 'الخميس', 'السبت', 'الأحد'],
      says: (row, [one, other]) => `في قاعة ${row}: ${one} و${other}.`,
      cell: (name, value) => `${name} ${value}`,
    },
    lists: {
      leads: ['أحضر إلى الورشة:', 'اترك في الاستقبال:'],
      items: ['سترة دافئة', 'كوبك الخاص', 'المظلات المبللة', 'الحقائب الكبيرة'],
      says: (lead, item) => `${lead.slice(0, -1)} ${item}.`,
    },
  },
}
