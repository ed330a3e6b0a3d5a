/// <reference path="./oidc-provider.d.ts" />
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface Person {
  sub: string
  email?: string
  email_verified?: boolean | string
}

export interface IdentityProvider {
  origin: string
  /** `host:port`, as EGRESS_ALLOW takes it. */
  pair: string
  /** Whoever asks with this `sub` in the header `x-person` is this person. */
  know(person: Person): void
  /** Goes through the pages of the provider as this person. @returns where the browser is sent back to. */
  signIn(authorizeUrl: string, person: Person): Promise<URL>
  close(): Promise<void>
}

export const CLIENT = { id: 'parley-client', secret: 'parley-client-secret-0123456789abcdef' }

/**
 * A real OpenID provider on loopback with one client, which must use PKCE. Consent is given at once; who signs in is what
 * the test says; a browser that names nobody does not want to.
 * @param redirectUris asked for with the first request, so that the app may be started after it
 */
export async function startIdentityProvider(
  redirectUris: () => string[],
): Promise<IdentityProvider> {
  const people = new Map<string, Person>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const make = () =>
    new Provider(origin, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: redirectUris(),
          grant_types: ['authorization_code'],
          response_types: ['code'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      cookies: { keys: ['test-cookie-key'] },
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => people.get(id) ?? { sub: id },
      }),
    })
  let made: ReturnType<typeof make> | undefined
  server.on('request', async (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    made ??= make()
    const provider = made
    if (!url.pathname.startsWith('/interaction/')) return provider.callback()(request, response)
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login') {
      const accountId = request.headers['x-person']
      const answer = accountId ? { login: { accountId } } : { error: 'access_denied' }
      await provider.interactionFinished(request, response, answer)
      return
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params.client_id),
    })
    grant.addOIDCScope(String(params.scope))
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { consent })
  })

  const know = (person: Person) => void people.set(person.sub, person)
  const signIn = async (authorizeUrl: string, person: Person): Promise<URL> => {
    know(person)
    const cookies = new Map<string, string>()
    let url = new URL(authorizeUrl)
    for (let step = 0; step < 10; step++) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'x-person': person.sub,
        },
      })
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
        cookies.set(name, value)
      }
      const location = response.headers.get('location')
      if (location === null) {
        throw new Error(`The provider answers ${response.status}: ${await response.text()}`)
      }
      url = new URL(location, url)
      if (url.origin !== origin) return url
    }
    throw new Error('The provider goes in circles')
  }
  return {
    origin,
    pair: origin.replace('http://', ''),
    know,
    signIn,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
