import type { Words } from './pack'

/** A list of single words, written as one line. */
export const words = (line: string): Words => line.split(' ')

/** A list whose entries may be of several words. */
export const phrases = (line: string): Words => line.split(', ')
