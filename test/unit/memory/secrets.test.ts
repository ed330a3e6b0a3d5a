import { describe, expect, it } from 'vitest'
import { holdsSecret, withoutSecrets } from '../../../src/memory/secrets'
import { growsLinearly } from '../../support/grows'

const SECRETS = [
  'My password is hunter2',
  'the wifi password: sunshine',
  'My PIN is 4921.',
  'The verification code is 883 201',
  'My API key is in the file',
  'Use sk-proj_9f8a7b6c5d4e3f2a1b0c',
  'token ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
  'AKIAIOSFODNN7EXAMPLE belongs to me',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
  '-----BEGIN RSA PRIVATE KEY-----',
  'I pay with 4111 1111 1111 1111',
  'pay with ４１１１ １１１１ １１１１ １１１１',
  'My account is DE89 3704 0044 0532 0130 00',
  'My SSN 078-05-1120',
  'My passport number is 533380006',
  'postgres://me:secret@db.example.com/x',
  'It is Tr0ub4dor&3',
  'Mi contraseña es perrito',
  'Mi clave es 1234',
  'El código de verificación es 99812',
  'Mi tarjeta es 5500 0000 0000 0004',
  'Mon mot de passe est soleil',
  'Mon code confidentiel est 1234',
  'Мой пароль солнце',
  'Мой пин-код 4921',
  'Номер карты 4111111111111111',
  'код подтверждения 4432',
  '我的密码是太阳',
  '我的密碼是太陽',
  '验证码是 882211',
  '我的身份证号是 110101199003074514',
  'كلمة المرور هي شمس',
  'كلمة السر شمس',
  'رقم بطاقتي ٤١١١١١١١١١١١١١١١',
  'رمز التحقق ١٢٣٤٥٦',
]
const HARMLESS = [
  'My name is Ada Lovelace.',
  'I live in Berlin and work as a nurse.',
  'My daughter was born in 2019.',
  'I run 10 km every morning.',
  'My favourite film is Amélie (2001).',
  'I prefer window seats on the 7:45 train.',
  'Write to ada@example.com if needed.',
  'See https://example.com/docs/getting-started-2024 for details.',
  'Me gusta el café sin azúcar.',
  "J'habite à Lyon depuis 2015.",
  'Я живу в Казани и люблю чай.',
  '我住在上海，喜欢喝茶。',
  '我喜欢密码学。',
  'أعيش في القاهرة وأحب القهوة.',
]

describe('holdsSecret', () => {
  it.each(SECRETS)('finds a secret in: %s', (text) => expect(holdsSecret(text)).toBe(true))
  it.each(HARMLESS)('finds none in: %s', (text) => expect(holdsSecret(text)).toBe(false))
})

describe('an address with a password', () => {
  it('is found in one pass, whatever its words and signs', async () => {
    expect(holdsSecret('see postgres://ann:pw@db.example and tell')).toBe(true)
    expect(holdsSecret('see redis://:pw@db.example and tell')).toBe(true)
    expect(holdsSecret('see https://db.example:8080/x@y and tell')).toBe(false)
    const look = (size: number) =>
      expect(holdsSecret(`${'a.'.repeat(size)} x://${':'.repeat(size)}`)).toBe(false)
    expect(await growsLinearly(16_000, look)).toBe(true)
  })
})

describe('withoutSecrets', () => {
  it('drops the sentence with the secret and keeps the others', () => {
    const kept = withoutSecrets(
      'I live in Lima. My password is hunter2. Today it rains. I like tea.',
    )
    expect(kept).toContain('I live in Lima.')
    expect(kept).toContain('I like tea.')
    expect(kept).not.toContain('hunter2')
  })

  it('drops what follows a sentence that only names the secret, on the next line too', () => {
    expect(withoutSecrets('This is my password:\nswordfish\nI like tea.')).toBe('I like tea.')
  })
})
