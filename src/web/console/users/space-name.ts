import { useShell } from '../words'
import type { Space } from './types'

/** What a space is called. The one that everybody has is called so by nobody: its name is ours, in the reader's language. */
export function useSpaceName(): (space: Pick<Space, 'name' | 'is_default'>) => string {
  const t = useShell()
  return ({ name, is_default }) => (is_default && name === 'Default' ? t('defaultSpace') : name)
}
