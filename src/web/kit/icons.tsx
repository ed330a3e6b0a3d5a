/** Own stroke icons on a 20 px grid. Those that point along the line of reading are mirrored in right-to-left. */
export const PATHS = {
  send: 'M10 16V4M5 9l5-5 5 5',
  stop: 'M6 6h8v8H6z',
  image:
    'M3.5 5.5a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2zM3.5 13l3.6-3.6a1 1 0 0 1 1.4 0l6.8 6.8M13 7.5h.01',
  dots: 'M4.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0zM9.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0zM14.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0z',
  newChat:
    'M10 4H5.5a2 2 0 0 0-2 2v8.5a2 2 0 0 0 2 2H14a2 2 0 0 0 2-2V10M8 12l.6-2.6 6.6-6.6a1.4 1.4 0 0 1 2 2L10.6 11.4z',
  pencil:
    'M4 16l.8-3.4 8.5-8.5a1.5 1.5 0 0 1 2.1 0l.5.5a1.5 1.5 0 0 1 0 2.1l-8.5 8.5zM11.8 5.6l2.6 2.6',
  copy: 'M7.5 7.5V5a1.5 1.5 0 0 1 1.5-1.5h6A1.5 1.5 0 0 1 16.5 5v6a1.5 1.5 0 0 1-1.5 1.5h-2.5M5 7.5h6A1.5 1.5 0 0 1 12.5 9v6a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15V9A1.5 1.5 0 0 1 5 7.5z',
  check: 'M4.5 10.5l3.7 3.7 7.3-8',
  up: 'M6.5 9v7M6.5 9l3-5.5a1.7 1.7 0 0 1 3.1 1.2L12 8h3.3a1.5 1.5 0 0 1 1.5 1.8l-1 5A1.5 1.5 0 0 1 14.3 16H6.5M3.5 9h3v7h-3z',
  down: 'M13.5 11V4M13.5 11l-3 5.5a1.7 1.7 0 0 1-3.1-1.2L8 12H4.7a1.5 1.5 0 0 1-1.5-1.8l1-5A1.5 1.5 0 0 1 5.7 4h7.8M16.5 11h-3V4h3z',
  retry: 'M15.5 6.5A6.5 6.5 0 1 0 16.5 10M16 3.5v3.3h-3.3',
  close: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  widen: 'M7 5.5L2.5 10 7 14.5M13 5.5l4.5 4.5-4.5 4.5M2.5 10h15',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10h7.6l.7-10M8.5 9v4.5M11.5 9v4.5',
  chevron: 'M6 8l4 4 4-4',
  external:
    'M8 5H5.5a1.5 1.5 0 0 0-1.5 1.5v8A1.5 1.5 0 0 0 5.5 16h8a1.5 1.5 0 0 0 1.5-1.5V12M11.5 4H16v4.5M16 4l-6.5 6.5',
  info: 'M10 9.2v4.3M10 6.6h.01M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z',
  warn: 'M10 8v3.5M10 14h.01M8.7 3.8L2.6 14.3A1.5 1.5 0 0 0 3.9 16.5h12.2a1.5 1.5 0 0 0 1.3-2.2L11.3 3.8a1.5 1.5 0 0 0-2.6 0z',
  offline:
    'M3 3l14 14M6.5 11.8a5 5 0 0 1 2.4-1.2M13.5 11.8a5 5 0 0 0-.9-.7M3.8 9a9 9 0 0 1 3.6-2.1M16.2 9a9 9 0 0 0-5.6-2.4M10 15.5h.01',
  arrowDown: 'M10 4v12M5 11l5 5 5-5',
  download: 'M10 3.5v9M6.2 9l3.8 3.8L13.8 9M4 16.5h12',
  globe:
    'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM3 10h14M10 3c2 2 3 4.4 3 7s-1 5-3 7c-2-2-3-4.4-3-7s1-5 3-7z',
  theme: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM10 3v14M10 6.5l5.5-.8M10 10h7M10 13.5l5.5.8',
  doc: 'M11.5 3.5H6A1.5 1.5 0 0 0 4.5 5v10A1.5 1.5 0 0 0 6 16.5h8a1.5 1.5 0 0 0 1.5-1.5V7.5zM11.5 3.5v4h4',
  person: 'M13 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM4.5 16.5c.4-3 2.6-4.5 5.5-4.5s5.1 1.5 5.5 4.5',
  leave: 'M8 3.5H5.5A1.5 1.5 0 0 0 4 5v10a1.5 1.5 0 0 0 1.5 1.5H8M12.5 6.5L16 10l-3.5 3.5M16 10H8',
  tool: 'M12.5 7.5l3.3-3.3a3.7 3.7 0 0 1-4.9 4.9l-5.6 5.6a1.4 1.4 0 0 1-2-2l5.6-5.6a3.7 3.7 0 0 1 4.9-4.9z',
} as const

export type IconName = keyof typeof PATHS

export const MIRRORED: ReadonlySet<IconName> = new Set(['external', 'leave'])

/** Draws the icons of a set, each a path on a grid of 20 px; those that point along the line are mirrored with it. */
export const iconOf =
  <Name extends string>(paths: Readonly<Record<Name, string>>, mirrored: ReadonlySet<string>) =>
  ({ name }: { name: Name }) => (
    <svg
      class={mirrored.has(name) ? 'icon mirror' : 'icon'}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )

export const Icon = iconOf(PATHS, MIRRORED)
