import { useShell } from '../words'

/** Who did something, as the API names them: of a key its name. */
export function Actor({ of }: { of: string }) {
  const t = useShell()
  const key = /^key:(.+)$/.exec(of)?.[1]
  return <bdi>{key === undefined ? of : t('keyNamed', { name: key })}</bdi>
}
