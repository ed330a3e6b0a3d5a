import type { ScriptedFrame } from './chat-server'
import { reply } from './chat-server'
import { RICH_SOURCES } from './chat-sources'

/** A reply that shows everything a reply may show, for looking at and for the accessibility checks. */
export const RICH_TEXT = `You can return most items within **30 days** of delivery [2]. Opened software is excluded [1].

## How to return an item

1. Open your order and choose *Return*.
2. Print the label; the carrier needs the \`RMA_NUMBER\` on it [2].
3. Drop the parcel off.

| Item | Window | Fee |
|---|---|---|
| Tools | 30 days | none |
| Batteries | 14 days | $4.90 |

\`\`\`bash
curl https://acme.example/v1/returns -d order_id=1042
\`\`\`

- Keep the receipt
- See the [returns guide](https://acme.example/returns) or write to [us](mailto:help@acme.example)

> Refunds arrive within five working days [3].`

/** The sources of a text, each with the sentences before its marks. */
function sourcesOf(text: string) {
  return RICH_SOURCES.map((source) => ({
    ...source,
    quotes: [{ ...PLACE, ...sentencesOf(text, source) }],
  }))
}

const PLACE = { start: 0, end: 0 }

function sentencesOf(text: string, { n, quote }: { n: number; quote: string }) {
  const sentences = [...text.matchAll(/[^\n.。;；]+\[(\d)\]/gu)]
    .filter(([, mark]) => Number(mark) === n)
    .map(({ 0: words, index }) => ({ start: index, end: index + words.length }))
  return { quote, sentences }
}

/** A reply that found nothing, with what came nearest. */
export const noMatchReply = (
  text = 'I found nothing about that in the documents.',
): ScriptedFrame[] =>
  reply(text, {
    done: {
      finish_reason: 'no_match',
      closest: [
        {
          document_id: 'doc-2',
          title: 'Returns and exchanges',
          heading: 'How do I return an item?',
        },
        { document_id: 'doc-3', title: 'Payment and refunds handbook', heading: null },
      ],
    },
  })

export function richReply(): ScriptedFrame[] {
  return reply(RICH_TEXT, {
    sources: sourcesOf(RICH_TEXT),
    before: [{ event: 'status', data: { stage: 'retrieving' } }],
    done: {
      suggestions: [
        'What if the item is damaged?',
        'Can I exchange instead?',
        'Who pays for the parcel?',
      ],
    },
  })
}

const LOCAL: Record<'ar' | 'zh' | 'ru', { question: string; text: string }> = {
  ar: {
    question: 'كيف أعيد منتجًا، وهل هناك رسوم؟',
    text: `يمكنك إرجاع معظم المنتجات خلال **30 يومًا** من التسليم [2]. لا تشمل السياسة البرامج المفتوحة [1].

## كيفية إرجاع منتج

1. افتح طلبك واختر *إرجاع*.
2. اطبع الملصق؛ يحتاج الناقل إلى \`RMA_NUMBER\` عليه [2].
3. سلّم الطرد.

| المنتج | المهلة | الرسوم |
|---|---|---|
| أدوات | 30 يومًا | لا شيء |
| بطاريات | 14 يومًا | 4.90 |

> تصل المبالغ المستردة خلال خمسة أيام عمل [3].

- احتفظ بالإيصال
- راجع [دليل الإرجاع](https://acme.example/returns)`,
  },
  zh: {
    question: '如何退货？需要付费吗？',
    text: `大多数商品可在收货后 **30 天**内退货[2]。已拆封的软件除外[1]。

## 退货步骤

1. 打开订单，选择*退货*。
2. 打印标签；承运商需要标签上的 \`RMA_NUMBER\`[2]。
3. 交寄包裹。

| 商品 | 期限 | 费用 |
|---|---|---|
| 工具 | 30 天 | 免费 |
| 电池 | 14 天 | ¥35 |

> 退款将在五个工作日内到账[3]。`,
  },
  ru: {
    question: 'Как вернуть товар и сколько это стоит?',
    text: `Большинство товаров можно вернуть в течение **30 дней** после доставки [2]. Вскрытое программное обеспечение не принимается [1].

## Как оформить возврат

1. Откройте заказ и выберите *Возврат*.
2. Распечатайте этикетку; перевозчику нужен \`RMA_NUMBER\` [2].
3. Отправьте посылку.

| Товар | Срок | Стоимость |
|---|---|---|
| Инструменты | 30 дней | бесплатно |
| Аккумуляторы | 14 дней | 390 ₽ |

> Деньги поступят в течение пяти рабочих дней [3].`,
  },
}

/** A conversation in one of the languages that the page is looked at in. */
export function sampleIn(lang: 'en' | 'ar' | 'zh' | 'ru'): {
  question: string
  frames: ScriptedFrame[]
} {
  if (lang === 'en') {
    return { question: 'How do I return an item, and is there a fee?', frames: richReply() }
  }
  const { question, text } = LOCAL[lang]
  return { question, frames: reply(text, { sources: sourcesOf(text) }) }
}
