import { timingSafeEqual } from 'node:crypto'
import { sha256 } from './bytes'

/**
 * Compares two secrets in a time that tells nothing about them: both sides are hashed first, so lengths do not show
 * either. Workers offer the comparison in web crypto, plain Node does not.
 */
export async function equalSecrets(presented: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(presented), sha256(expected)])
  return crypto.subtle.timingSafeEqual?.(a, b) ?? timingSafeEqual(a, b)
}
