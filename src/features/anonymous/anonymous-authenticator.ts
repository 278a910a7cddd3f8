import type { Answer } from '../../rest/answer.ts'
import type { Authenticator, CredentialRequest, Identity } from '../../rest/authenticator.ts'
import type { Services } from '../../rest/services.ts'

const parameter = 'forceAnonymousLogin'
const none: Identity = { kind: 'none' }

/** Takes everybody for the anonymous user who sends no credentials, unless they are about to sign in (contract: security 2.10). */
export function createAnonymousAuthenticator(services: Pick<Services, 'principalRules'>): Authenticator {
  return {
    name: 'ANONYMOUS_AUTH',
    admitsAnonymous: true,
    identify(request, principals) {
      const { anonymousUser } = services.principalRules
      if (anonymousUser === undefined || wantsToSignIn(request)) return none
      const known = (principal: ReturnType<typeof principals.lookUp>): Identity | Promise<Identity> => {
        if (principal instanceof Promise) return principal.then(known)
        return principal === undefined ? none : { kind: 'known', principal }
      }
      return known(principals.lookUp(anonymousUser.name))
    },
    answerRefusal: (request) => (isBrowsing(request) ? toSignIn(request) : undefined),
  }
}

function wantsToSignIn({ search, query }: CredentialRequest): boolean {
  return search.includes(parameter) && query.get(parameter) === 'true'
}

/** A person who follows a link, not a script of a page. */
function isBrowsing({ method, headers }: CredentialRequest): boolean {
  return method === 'GET' && /\btext\/html\b/i.test(String(headers['accept'])) && headers['x-requested-with'] !== 'XMLHttpRequest'
}

/** What the anonymous user may not see, somebody who signs in may. */
function toSignIn({ baseUrl, serverPath, search }: CredentialRequest): Answer {
  const requestedUrl = `${serverPath.slice(1)}${search === '' ? '' : `?${search}`}`
  const query = new URLSearchParams({ [parameter]: 'true', securityError: 'true', requestedUrl })
  return { kind: 'empty', status: 302, headers: { Location: `${baseUrl}logout?${query}` } }
}
