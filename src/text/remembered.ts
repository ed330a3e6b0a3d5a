/** Caches of words count them. A longer one is hardly ever met again, and a text of such words would be kept whole. */
export const LONGEST_REMEMBERED = 64
