/** What every part of the benchmark agrees on: passages, questions, the fake model's replies and vectors. */

export const EMBEDDER = 'bench-embedder'
export const DIMENSIONS = 256
export const CHAT_MODEL = 'bench-model'

export interface Topic {
  /** A word by which the fake model knows what it is asked. */
  name: string
  text: string
  question: string
  /** What the fake model says: three sentences, each with a true quote of the first passage. The check is sure of the first. */
  sentences: readonly string[]
}

/** The passages that the questions are about. Every base holds them; no word of a `name` is in another topic. */
export const TOPICS: readonly Topic[] = [
  {
    name: 'refund',
    text: 'A refund is paid within five working days after the parcel has arrived at the warehouse. The courier collects the parcel free of charge above fifty euros, and a label has to be printed from the account page before it is handed over. Orders that were paid by bank transfer go back to the account they came from; card payments go back to the card. Money that has not arrived after that time can be traced by the help desk with the number of the parcel. For a part of an order the same rules hold, and the invoice is corrected on the same day.',
    question:
      'How many working days does a refund take after the parcel has arrived at the warehouse?',
    sentences: [
      'A refund is paid within five working days after the parcel has arrived at the warehouse [1|paid within five working days after the parcel has arrived].',
      'The courier collects the parcel free of charge above fifty euros [1|free of charge above fifty euros].',
      'Print the label from the account page before it is handed over [1|printed from the account page before it is handed over].',
    ],
  },
  {
    name: 'opening',
    text: 'The opening hours of the shop are nine in the morning to six in the evening from Monday to Friday. On Saturdays it closes at two, and on Sundays and public holidays nobody is there. The shop is on the ground floor of the old station, next to the ticket hall, and the entrance for wheelchairs is on the north side. During the summer fair the doors stay open until nine in the evening. Visitors who come by car find forty places behind the station, the first hour of which costs nothing.',
    question: 'What are the opening hours of the shop on Saturdays and during the summer fair?',
    sentences: [
      'The opening hours of the shop are nine in the morning to six in the evening from Monday to Friday [1|nine in the morning to six in the evening from Monday to Friday].',
      'On Saturdays it closes at two [1|On Saturdays it closes at two].',
      'During the summer fair the doors stay open until nine in the evening [1|the doors stay open until nine in the evening].',
    ],
  },
  {
    name: 'password',
    text: 'A forgotten password is replaced in three steps. The person asks for a link on the sign-in screen, opens the message that is sent to the stored address, and chooses a new password of at least eight characters. The link works for thirty minutes and only once. Every other device is signed out at that moment, and a note about the change is sent to the same address. Whoever no longer reads that mailbox has to show an identity card at the counter or in a video call.',
    question: 'For how many minutes does the link for a forgotten password work?',
    sentences: [
      'The link works for thirty minutes and only once [1|The link works for thirty minutes and only once].',
      'The new password has at least eight characters [1|at least eight characters].',
      'Every other device is signed out at that moment [1|Every other device is signed out at that moment].',
    ],
  },
  {
    name: 'invoice',
    text: 'Each invoice is issued on the first of the month and lists what was used in the month before. It is due within fourteen days; after that a reminder follows, and after a second reminder the contract rests until the sum is settled. Companies inside the union that give a tax number pay without tax. A copy of any invoice of the last ten years can be downloaded as a file, and changes of the billing address hold from the next one on. Disputed items are marked and left out until they are cleared up.',
    question: 'When is an invoice due, and what happens after a second reminder?',
    sentences: [
      'It is due within fourteen days, and after that a reminder follows [1|It is due within fourteen days; after that a reminder follows].',
      'After a second reminder the contract rests until the sum is settled [1|the contract rests until the sum is settled].',
      'Disputed items are left out until they are cleared up [1|marked and left out until they are cleared up].',
    ],
  },
  {
    name: 'battery',
    text: 'The battery lasts for eleven hours of reading or four hours of video. It is full after ninety minutes with the charger in the box; weaker chargers need up to five hours. After eight hundred cycles it keeps four fifths of its first capacity. The device warns at ten percent and stores everything before it turns itself off. A worn battery is replaced by a workshop within two days, during which a spare device can be borrowed. Extreme heat and cold shorten its life.',
    question:
      'How long does the battery last for video, and when is it full with the charger in the box?',
    sentences: [
      'The battery lasts for eleven hours of reading or four hours of video [1|eleven hours of reading or four hours of video].',
      'It is full after ninety minutes with the charger in the box [1|full after ninety minutes with the charger in the box].',
      'After eight hundred cycles it keeps four fifths of its capacity [1|keeps four fifths of its first capacity].',
    ],
  },
  {
    name: 'library',
    text: 'The library lends up to twelve books for four weeks. A loan can be extended twice as long as no one else waits for the title. Fines begin on the third day after the end of a loan and amount to twenty cents a day and book, at most six euros. Films and games are lent for one week. A lost card is blocked at the desk at once, and a new one costs three euros. Children under fourteen need the signature of a parent, and their loans never lead to fines.',
    question: 'How many books does the library lend, and when do fines begin?',
    sentences: [
      'The library lends up to twelve books for four weeks [1|lends up to twelve books for four weeks].',
      'A loan can be extended twice as long as no one else waits for the title [1|extended twice as long as no one else waits].',
      'Fines begin on the third day after the end of a loan [1|Fines begin on the third day after the end of a loan].',
    ],
  },
  {
    name: 'garden',
    text: 'A plot in the garden is given to members in the order of their letters, usually after two years. Each plot measures one hundred and eighty square metres and has a water tap and a small hut. Hedges may be as high as a metre and a half, and engines must rest between one and three in the afternoon. Two working mornings a year are owed by each member; whoever misses one pays thirty euros into the common purse. Waste that does not rot is taken home.',
    question: 'How large is a plot in the garden, and how high may hedges be?',
    sentences: [
      'Each plot measures one hundred and eighty square metres [1|measures one hundred and eighty square metres].',
      'Hedges may be as high as a metre and a half [1|Hedges may be as high as a metre and a half].',
      'Engines must rest between one and three in the afternoon [1|engines must rest between one and three in the afternoon].',
    ],
  },
  {
    name: 'ferry',
    text: 'The ferry leaves the harbour every forty minutes from five in the morning and reaches the island after a quarter of an hour. Bicycles travel without a ticket, cars need a booking in July and August. In strong wind the crossing is cancelled, and a bus goes round the bay instead, which takes one hour and ten minutes. Tickets for ten crossings are a third cheaper than single ones and hold for two years. Dogs stay on deck and on a leash.',
    question: 'How often does the ferry leave the harbour, and what happens in strong wind?',
    sentences: [
      'The ferry leaves the harbour every forty minutes from five in the morning and reaches the island after a quarter of an hour [1|leaves the harbour every forty minutes from five in the morning].',
      'In strong wind the crossing is cancelled, and a bus goes round the bay instead [1|the crossing is cancelled, and a bus goes round the bay instead].',
      'Bicycles travel without a ticket [1|Bicycles travel without a ticket].',
    ],
  },
]

/** The topic that a text speaks of last: in a prompt, the question's. */
export function lastTopic(text: string): number {
  let last = 0
  let at = -1
  for (const [i, { name }] of TOPICS.entries()) {
    const found = text.lastIndexOf(name)
    if (found > at) {
      at = found
      last = i
    }
  }
  return last
}

/** A random vector of length 1, the same for the same seed. */
export function vectorOf(seed: number): number[] {
  const random = randomOf(seed)
  const raw = Array.from({ length: DIMENSIONS }, () => random() - 0.5)
  const length = Math.hypot(...raw)
  return raw.map((value) => Math.round((value / length) * 1e6) / 1e6)
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
