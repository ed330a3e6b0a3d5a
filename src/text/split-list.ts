/** The items of a list as people write one. They are trimmed afterwards: an expression that takes in blanks before a sign begins at each. */
export const splitList = (text: string): string[] =>
  text
    .split(/[,;،、，；\n]/u)
    .map((item) => item.trim())
    .filter((item) => item !== '')
