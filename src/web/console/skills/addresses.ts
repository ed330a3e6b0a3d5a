import { to } from '../router'

export const skillApi = (name: string) => to`/v1/skills/${name}`
/** The screen that makes skills stands where one called "new" would. */
export const skillScreen = (name: string) =>
  name === 'new' ? '/skills/new?existing=1' : to`/skills/${name}`
export const historyScreen = (name: string) => to`/skills/${name}/history`
