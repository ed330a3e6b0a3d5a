export { AppBanners } from './app-extras'
export { Feedback } from './feedback'
export { MenuItems } from './menu'
