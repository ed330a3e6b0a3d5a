/** Spaces, and signs that take no place on a screen. */
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a text has nothing to see. */
export const isUnseen = (text: string): boolean => UNSEEN.test(text)
