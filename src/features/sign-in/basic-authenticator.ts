import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Principals } from '../../core/principals/principals.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Authenticator, CredentialRequest, Identity } from '../../rest/authenticator.ts'
import type { Credentials, PasswordCheck } from './passwords/password-check.ts'

/** Two names of one thing: chains of browsers and of the API call it differently (contract: security 2.2). */
export function createBasicAuthenticators(
  vendored: () => VendorIdentifiers,
  checkPassword: PasswordCheck,
): readonly Authenticator[] {
  const challengeOf = (realm: string) => `Basic realm="${vendored()(realm)}"`
  return [
    {
      ...createBasicAuthenticator('BASIC_AUTH', checkPassword),
      prompt: (request) => (isPrompting(request.serverPath) ? prompt(request, challengeOf('Platform 5 EP')) : undefined),
    },
    {
      ...createBasicAuthenticator('AUTOMATION_BASIC_AUTH', checkPassword),
      prompt: (request) => prompt(request, challengeOf('Platform Automation')),
    },
  ]
}

const none: Identity = { kind: 'none' }

function createBasicAuthenticator(name: string, checkPassword: PasswordCheck): Authenticator {
  // A client sends the same header with every request of a connection: reading and hashing it again would tell nothing new.
  const admitted = new WeakMap<object, Admitted>()

  async function checkCredentials(request: CredentialRequest, principals: Principals): Promise<Identity> {
    const { authorization } = request.headers
    const credentials = parseBasic(authorization)
    if (credentials === undefined) return none
    const identity = await checkPassword(request, principals, credentials)
    if (identity.kind === 'known') admitted.set(request.connection, { authorization, principal: identity.principal })
    return identity
  }

  return {
    name,
    identify(request, principals) {
      const { authorization } = request.headers
      if (authorization === undefined) return none
      const before = admitted.get(request.connection)
      // At once, for those who are asked next: tokens come in the same header.
      if (before?.authorization !== authorization) return isBasic(authorization) ? checkCredentials(request, principals) : none
      const orElse = (renewed: Principal | undefined): Identity | Promise<Identity> =>
        renewed === undefined ? checkCredentials(request, principals) : { kind: 'known', principal: renewed }
      const renewed = principals.renew(before.principal)
      return renewed instanceof Promise ? renewed.then(orElse) : orElse(renewed)
    },
  }
}

interface Admitted {
  readonly authorization: string | readonly string[] | undefined
  readonly principal: Principal
}

function isBasic(header: string | readonly string[] | undefined): header is string {
  return typeof header === 'string' && /^basic /i.test(header)
}

/** Undefined also for an empty name or password: that is no attempt to log in. */
export function parseBasic(header: string | readonly string[] | undefined): Credentials | undefined {
  if (!isBasic(header)) return undefined
  const decoded = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon <= 0 || colon === decoded.length - 1) return undefined
  return { name: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

/** Paths of the default chain that programs call rather than people. */
const promptingPrefixes = ['/restAPI/', '/site/api/', '/site/sites/@rss/', '/site/blogs/@rss/']

function isPrompting(path: string): boolean {
  return promptingPrefixes.some((prefix) => path.startsWith(prefix))
}

// Any cookie at all is a browser session that a page of ours looks after.
const silencers = ['X-No-Basic-Header', 'Cookie', 'X-Authentication-Token']

/** The header makes a browser ask for a password, unless the client asked not to be bothered. */
function prompt(request: CredentialRequest, challenge: string) {
  const isSilenced = silencers.some((name) => isPresent(request, name))
  return { kind: 'challenge', ...(!isSilenced && { challenge }) } as const
}

function isPresent(request: CredentialRequest, name: string): boolean {
  const header = request.headers[name.toLowerCase()]
  return (typeof header === 'string' && header.trim() !== '') || request.cookie(name) !== undefined
}
