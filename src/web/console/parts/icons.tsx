import { iconOf, MIRRORED as KIT_MIRRORED, PATHS as KIT_PATHS } from '../../kit/icons'

/** What the console draws besides the icons of all pages, on the same 20 px grid. */
const PATHS = {
  ...KIT_PATHS,
  home: 'M3.5 9.5L10 4l6.5 5.5M5.5 8.5V16h9V8.5M8.5 16v-4h3v4',
  agents:
    'M4.5 6A1.5 1.5 0 0 1 6 4.5h8A1.5 1.5 0 0 1 15.5 6v6a1.5 1.5 0 0 1-1.5 1.5H9.5L6 16.5v-3A1.5 1.5 0 0 1 4.5 12zM8 9h.01M12 9h.01',
  skill: 'M10 3.5l1.8 4.2 4.7.4-3.6 3 1.1 4.5-4-2.4-4 2.4 1.1-4.5-3.6-3 4.7-.4z',
  book: 'M5 4.5A1.5 1.5 0 0 1 6.5 3H15v12H6.5A1.5 1.5 0 0 0 5 16.5zM5 16.5A1.5 1.5 0 0 0 6.5 17H15v-2M8 6.5h4M8 9.5h3',
  server:
    'M4.5 4h11a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM4.5 11h11a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1zM6.5 6.5h.01M6.5 13.5h.01',
  flow: 'M3.5 4h4v4h-4zM12.5 12h4v4h-4zM5.5 8v4a2 2 0 0 0 2 2h5M12.5 4h4v4h-4zM7.5 6h5',
  review: 'M4 4.5h12v9H9.5L6 16.5v-3H4zM7.3 9l2 2 3.6-4',
  users:
    'M10 7a2.7 2.7 0 1 1-5.4 0A2.7 2.7 0 0 1 10 7zM2.5 16c.3-2.8 2.2-4.2 4.8-4.2s4.5 1.4 4.8 4.2M12.5 4.6a2.7 2.7 0 0 1 0 4.9M14 12.2c1.9.5 3.2 1.8 3.5 3.8',
  hand: 'M6.5 10V5.2a1.2 1.2 0 0 1 2.4 0V9m0-.5V4a1.2 1.2 0 0 1 2.4 0v4.5m0-.3V5a1.2 1.2 0 0 1 2.4 0v6.5c0 3-1.7 5-4.4 5-2.4 0-3.5-1.2-4.6-3.4L3.6 11a1.2 1.2 0 0 1 2-1.2z',
  usage: 'M3.5 16.5h13M5.5 16.5V11h2.5v5.5M9 16.5V6.5h2.5v10M12.5 16.5V9H15v7.5',
  audit:
    'M6 3.5h8a1.5 1.5 0 0 1 1.5 1.5v11.5h-11V5A1.5 1.5 0 0 1 6 3.5zM7.5 7.5h5M7.5 10.5h5M7.5 13.5h3',
  settings:
    'M12.2 10a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0zM10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5L15 15M15 5l-1.5 1.5M6.5 13.5L5 15',
  plus: 'M10 4.5v11M4.5 10h11',
  minus: 'M4.5 10h11',
  search: 'M14 9A5 5 0 1 1 4 9a5 5 0 0 1 10 0zM12.7 12.7l3.8 3.8',
  key: 'M10.5 13a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM9.5 10.5l7-7M13 7l2.5 2.5',
  link: 'M8.5 11.5l3-3M7.5 9L5 11.5a2.5 2.5 0 0 0 3.5 3.5L11 12.5M9 7.5L11.5 5A2.5 2.5 0 0 1 15 8.5L12.5 11',
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  back: 'M12 4.5L6.5 10l5.5 5.5',
  next: 'M8 4.5l5.5 5.5L8 15.5',
  play: 'M6.5 4.5v11l9-5.5z',
  filter: 'M3.5 5h13l-5 6v5l-3-1.5V11z',
  drag: 'M8 5.5h.01M12 5.5h.01M8 10h.01M12 10h.01M8 14.5h.01M12 14.5h.01',
  undo: 'M7 5L3.5 8.5 7 12M3.5 8.5H12a4 4 0 0 1 0 8H9',
  redo: 'M13 5l3.5 3.5L13 12M16.5 8.5H8a4 4 0 0 0 0 8h3',
  zoomIn: 'M14 9A5 5 0 1 1 4 9a5 5 0 0 1 10 0zM12.7 12.7l3.8 3.8M9 6.8v4.4M6.8 9h4.4',
  zoomOut: 'M14 9A5 5 0 1 1 4 9a5 5 0 0 1 10 0zM12.7 12.7l3.8 3.8M6.8 9h4.4',
  fit: 'M4 7.5V4h3.5M12.5 4H16v3.5M16 12.5V16h-3.5M7.5 16H4v-3.5',
  code: 'M7 6l-4 4 4 4M13 6l4 4-4 4',
} as const

export type IconName = keyof typeof PATHS

const MIRRORED: ReadonlySet<string> = new Set([
  ...KIT_MIRRORED,
  'back',
  'next',
  'play',
  'undo',
  'redo',
])

export const Icon = iconOf(PATHS, MIRRORED)
