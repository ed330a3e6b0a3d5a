/** The first signs of a text, none of them halved as `slice` would an emoji. */
export const firstSigns = (text: string, most: number): string => [...text].slice(0, most).join('')
