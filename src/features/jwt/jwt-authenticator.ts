import type { Principals } from '../../core/principals/principals.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Authenticator, CredentialRequest, Identity } from '../../rest/authenticator.ts'
import { isPostedForm } from '../../rest/request/url-encoded-form.ts'
import { isAddressedTo, isTimely, type JwtClaims, mayBeJwt } from './jwt.ts'
import { findOwnClaims, type JwtServices } from './jwt-service.ts'

const scheme = 'Bearer '
const parameter = 'access_token'
const none: Identity = { kind: 'none' }

interface SeenToken {
  readonly token: string
  readonly generation: number | undefined
  readonly claims: JwtClaims | undefined
}

/** Lets in who sends a JSON web token that was signed with the secret of the server (contract: security 2.6). */
export function createJwtAuthenticator(services: JwtServices): Authenticator {
  // A client sends the same token with every request of a connection. The secret stays while the process runs, and who has the name while
  // directories are of one generation; whether the token is valid at this moment and for this path is looked at each time.
  const seen = new WeakMap<object, SeenToken>()
  const findGeneration = () => services.directories.store.reader.directories.findGeneration()

  function identify(request: CredentialRequest, principals: Principals): Identity | Promise<Identity> {
    const { authorization } = request.headers
    if (authorization !== undefined) {
      return typeof authorization === 'string' && authorization.startsWith(scheme)
        ? identifyBy(authorization.slice(scheme.length), request, principals)
        : none
    }
    const sent = request.search.includes(parameter) ? request.query.get(parameter) : null
    if (sent !== null || !isPostedForm(request)) return identifyBy(sent ?? '', request, principals)
    return request.readForm().then((form) => identifyBy(form.get(parameter) ?? '', request, principals))
  }

  function identifyBy(token: string, request: CredentialRequest, principals: Principals): Identity | Promise<Identity> {
    const before = seen.get(request.connection)
    const generation = findGeneration()
    if (before?.token === token && generation !== undefined && before.generation === generation)
      return admit(before.claims, request, principals)
    return mayBeJwt(token) ? identifyAnew(token, request, principals) : none
  }

  async function identifyAnew(token: string, request: CredentialRequest, principals: Principals): Promise<Identity> {
    // The number first: what is read after it is of that generation or a later one.
    const generation = findGeneration()
    const claims = await findOwnClaims(services, token)
    seen.set(request.connection, { token, generation, claims })
    return admit(claims, request, principals)
  }

  function admit(
    claims: JwtClaims | undefined,
    request: CredentialRequest,
    principals: Principals,
  ): Identity | Promise<Identity> {
    if (claims === undefined || !isTimely(claims, Date.now()) || !isAddressedTo(claims, request.serverPath)) return none
    const { subject: name } = claims
    const known = (principal: Principal | undefined): Identity =>
      principal === undefined ? { kind: 'refused', name } : { kind: 'known', principal }
    const principal = principals.lookUp(name)
    return principal instanceof Promise ? principal.then(known) : known(principal)
  }

  return { name: 'JWT_AUTH', identify }
}
