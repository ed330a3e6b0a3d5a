import { signInWord } from './names'
import { usePeople } from './words'

export function SignIn({ auth }: { auth: string }) {
  const t = usePeople()
  const word = signInWord(auth)
  return <>{word ? t(word) : auth}</>
}
