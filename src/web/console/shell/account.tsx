import { Button, IconButton } from '../parts'
import type { TenantFacts } from '../tenant'
import { useShell } from '../words'
import { useDisclosure } from './use-disclosure'

interface Props {
  /** Null until it is known. */
  tenant: TenantFacts | null
  onLeave: () => void
}

/** Who is signed in, and the way out. */
export function Account({ tenant, onLeave }: Props) {
  const t = useShell()
  const { box, open, toggle } = useDisclosure()
  return (
    <div class="menu in-bar account" ref={box}>
      <IconButton icon="person" label={t('account')} expanded={open} onClick={toggle} />
      {open && (
        <div class="popover stack">
          {tenant && (
            <div>
              <p class="muted small">{t('signedInAs')}</p>
              <p class="account-name">
                <bdi>{tenant.name}</bdi>
              </p>
              {tenant.alias && (
                <p class="muted small">
                  <bdi>{tenant.alias}</bdi>
                </p>
              )}
            </div>
          )}
          <Button icon="leave" onClick={onLeave}>
            {t('signOut')}
          </Button>
        </div>
      )}
    </div>
  )
}
