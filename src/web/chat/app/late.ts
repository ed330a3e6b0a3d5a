export { AppBanners } from './app-extras'
export { Feedback } from './feedback'
export { HistoryColumn } from './history'
export { MenuItems } from './menu'
