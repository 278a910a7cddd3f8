import type { Principals } from '../../core/principals/principals.ts'
import { useOnce } from '../../core/principals/used-once.ts'
import type { Authenticator, CredentialRequest, Identity } from '../../rest/authenticator.ts'
import type { Services } from '../../rest/services.ts'
import { findAccessToken } from './access-tokens.ts'
import { findConsumer, findSignedUser, type Oauth1Consumer } from './consumers.ts'
import { isSigned } from './signature.ts'
import { isOauth1Request, parseSignedRequest, type SignedRequest } from './signed-request.ts'

export const oauth1Authenticator = 'OAUTH1_AUTH'

/** So far a timestamp may be from now, in either direction. */
const windowSeconds = 300

const none: Identity = { kind: 'none' }

/**
 * Whether the request was signed by the consumer with the secret of its token, now, and was not seen before. Its nonce counts as used
 * from here on.
 */
export async function isGenuine(
  { directories }: Pick<Services, 'directories'>,
  request: SignedRequest,
  consumer: Oauth1Consumer,
  tokenSecret: string,
): Promise<boolean> {
  if (Math.abs(Date.now() / 1000 - request.timestamp) > windowSeconds) return false
  const { secret: consumerSecret, publicKey } = consumer
  const keys = { consumerSecret, tokenSecret, ...(publicKey !== undefined && { publicKey }) }
  if (!isSigned(request.method, request.signature, request.content, keys)) return false
  // Behind the signature: nobody fills the database who has no key.
  const used = [consumer.key, request.token, String(request.timestamp), request.nonce]
  return useOnce(directories.store, 'oauth1', used, (request.timestamp + windowSeconds) * 1000)
}

/** Lets in programs that sign each request (contract: security 2.9). In no chain unless one is told to name it. */
export function createOauth1Authenticator(services: Services): Authenticator {
  /** Whom the request is for, if whoever checks its signature says so. */
  async function findUser(request: SignedRequest, check: typeof isGenuine): Promise<string | undefined> {
    const { directories } = services.directories.store.reader
    const consumer = await findConsumer(directories, request.consumerKey)
    if (consumer === undefined) return undefined
    if (request.token !== '') {
      const token = await findAccessToken(directories, request.token)
      if (token?.consumerKey !== consumer.key) return undefined
      return (await check(services, request, consumer, token.secret)) ? token.login : undefined
    }
    const user = findSignedUser(consumer, request.content.parameters, services.vendored('platform:user'))
    return user !== undefined && (await check(services, request, consumer, '')) ? user : undefined
  }

  async function identifyWith(check: typeof isGenuine, request: CredentialRequest, principals: Principals): Promise<Identity> {
    if (!isOauth1Request(request)) return none
    const signed = parseSignedRequest(request, await request.readForm())
    const name = signed && (await findUser(signed, check))
    if (name === undefined) return none
    const principal = await principals.lookUp(name)
    return principal === undefined ? { kind: 'refused', name } : { kind: 'known', principal }
  }

  return {
    name: oauth1Authenticator,
    isDelegated: true,
    identify: (request, principals) => identifyWith(isGenuine, request, principals),
    // The signature was checked, and its nonce is used; the consumer and its token may be gone since.
    identifyAgain: (request, principals) => identifyWith(async () => true, request, principals),
  }
}
