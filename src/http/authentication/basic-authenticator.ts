import type { Principals } from '../../core/principals/principals.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Authenticator, Identity } from '../../rest/authenticator.ts'

/** Two names of one thing: chains of browsers and of the API call it differently. */
export const basicAuthenticators: readonly Authenticator[] = ['BASIC_AUTH', 'AUTOMATION_BASIC_AUTH'].map(createBasicAuthenticator)

const none: Identity = { kind: 'none' }

function createBasicAuthenticator(name: string): Authenticator {
  // A client sends the same header with every request of a connection: reading and hashing it again would tell nothing new.
  const admitted = new WeakMap<object, Admitted>()

  async function checkCredentials({ headers, connection }: Sent, principals: Principals): Promise<Identity> {
    const { authorization } = headers
    const credentials = parseBasic(authorization)
    if (credentials === undefined) return none
    const principal = await principals.authenticate(credentials.name, credentials.password)
    if (principal === undefined) return { kind: 'refused', name: credentials.name }
    admitted.set(connection, { authorization, principal })
    return { kind: 'known', principal }
  }

  return {
    name,
    identify(request, principals) {
      const before = admitted.get(request.connection)
      if (before === undefined || before.authorization !== request.headers['authorization']) {
        return checkCredentials(request, principals)
      }
      const orElse = (renewed: Principal | undefined): Identity | Promise<Identity> =>
        renewed === undefined ? checkCredentials(request, principals) : { kind: 'known', principal: renewed }
      const renewed = principals.renew(before.principal)
      return renewed instanceof Promise ? renewed.then(orElse) : orElse(renewed)
    },
  }
}

type Sent = Parameters<Authenticator['identify']>[0]

interface Admitted {
  readonly authorization: string | readonly string[] | undefined
  readonly principal: Principal
}

interface Credentials {
  readonly name: string
  readonly password: string
}

/** Undefined also for an empty name or password: that is no attempt to log in. */
export function parseBasic(header: string | readonly string[] | undefined): Credentials | undefined {
  if (typeof header !== 'string' || !/^basic /i.test(header)) return undefined
  const decoded = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon <= 0 || colon === decoded.length - 1) return undefined
  return { name: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}
