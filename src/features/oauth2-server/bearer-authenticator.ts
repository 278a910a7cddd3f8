import { createCache } from '../../base/cache/bounded-cache.ts'
import { systemAccess } from '../../core/access.ts'
import type { Principals } from '../../core/principals/principals.ts'
import type { Session } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Authenticator, CredentialRequest, Identity } from '../../rest/authenticator.ts'
import { isPostedForm } from '../../rest/request/url-encoded-form.ts'
import type { Services } from '../../rest/services.ts'
import { findTokens } from '../oauth2-tokens/index.ts'
import { expiryMillisOf, ownService } from './access-tokens.ts'
import { findClient } from './clients.ts'

/** What a token is good for: nothing, or to act for a user for some time. */
interface KnownToken {
  readonly generation: number
  readonly grant: { readonly user: string; readonly expiryMillis: number } | undefined
}

const parameter = 'access_token'
const none: Identity = { kind: 'none' }
const maxCached = 10_000
// Those that we give have 32 characters; what is much longer is somebody else's, such as a JWT with many claims.
const longestToken = 256

/** Lets in programs that act for users: `Authorization: Bearer`, or the parameter `access_token` (security 2.7). */
export function createBearerAuthenticator(services: Services): Authenticator {
  // Revoked tokens, refreshed ones and disabled programs are changes of directories: an entry is of one generation of these, and of
  // no use in the next, in whichever process that began.
  const known = createCache<string, KnownToken>({ maxEntries: maxCached })

  async function look(token: string): Promise<KnownToken['grant']> {
    const { directories } = services.directories.store.reader
    const generation = directories.findGeneration() ?? (await directories.generation())
    const cached = known.get(token)
    if (cached?.generation === generation) return cached.grant
    const grant = await systemAccess(home(services)).read((session) => findGrant(session, services, token))
    known.set(token, { generation, grant })
    return grant
  }

  /** Told at once where the engine knows the generation without asking. */
  function findGrantOf(token: string): KnownToken['grant'] | Promise<KnownToken['grant']> {
    const generation = services.directories.store.reader.directories.findGeneration()
    const cached = generation === undefined ? undefined : known.get(token)
    return cached !== undefined && cached.generation === generation ? cached.grant : look(token)
  }

  function identifyBy(token: string | undefined, principals: Principals): Identity | Promise<Identity> {
    if (token === undefined || token.length > longestToken) return none
    const grant = findGrantOf(token)
    return grant instanceof Promise ? grant.then((one) => identityOf(one, principals)) : identityOf(grant, principals)
  }

  return {
    name: 'OAUTH2_AUTH',
    isDelegated: true,
    /** A parameter comes before the header, as clients of the original rely on; it may stand in a form as well. */
    identify(request, principals) {
      const sent = request.search.includes(parameter) ? unlessBlank(request.query.get(parameter)) : undefined
      if (sent !== undefined || !isPostedForm(request)) return identifyBy(sent ?? findBearer(request), principals)
      return request.readForm().then((form) => identifyBy(unlessBlank(form.get(parameter)) ?? findBearer(request), principals))
    },
  }
}

function identityOf(grant: KnownToken['grant'], principals: Principals): Identity | Promise<Identity> {
  if (grant === undefined || grant.expiryMillis < Date.now()) return none
  const { user } = grant
  const identify = (principal: Principal | undefined): Identity =>
    principal === undefined ? { kind: 'refused', name: user } : { kind: 'known', principal }
  const found = principals.lookUp(user)
  return found instanceof Promise ? found.then(identify) : identify(found)
}

function unlessBlank(text: string | null): string | undefined {
  return text === null || text.trim() === '' ? undefined : text
}

function findBearer({ headers: { authorization } }: CredentialRequest): string | undefined {
  return typeof authorization === 'string' && authorization.startsWith('Bearer ')
    ? authorization.slice('Bearer '.length)
    : undefined
}

async function findGrant(session: Session, { facts }: Services, accessToken: string): Promise<KnownToken['grant']> {
  const [token] = await findTokens(session, { accessToken, serviceName: ownService(facts.vendored) })
  if (token === undefined || token.login === null || token.clientId === null) return undefined
  const client = await findClient(session, token.clientId)
  return client?.isEnabled ? { user: token.login, expiryMillis: expiryMillisOf(token) } : undefined
}

function home({ repositories }: Services) {
  const [first] = repositories.values()
  if (first === undefined) throw new Error('The server has no repository.')
  return first.home
}
