import { to } from '../router'

export const skillApi = (name: string) => to`/v1/skills/${name}`
/** A skill may be called "new", which is the address of the screen that makes one: written out, it is another. */
const nameInPath = (name: string) => (name === 'new' ? '%6Eew' : to`${name}`)
export const skillScreen = (name: string) => `/skills/${nameInPath(name)}`
export const historyScreen = (name: string) => `${skillScreen(name)}/history`
