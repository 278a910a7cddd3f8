import { defineProblem } from '../../base/problem.ts'
import type { Answer } from '../../rest/answer.ts'
import { isHealth } from '../../rest/management.ts'
import type { HttpSettings } from '../http-settings.ts'
import { isSafeMethod } from '../protection/request-protection.ts'
import { type BaseUrls, hostWithPort } from '../request/base-url.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

export const encryptionNeeded = defineProblem(
  'encryptionNeeded',
  'forbidden',
  (of: { url: string }) => `This server is written to over https alone: send it to ${of.url}.`,
)

/**
 * Sends on to https who came without, where the server was told to; undefined where it was not. A proxy that says its client came over https has done its part, and a
 * balancer that asks how the server is needs an answer. What changes something is refused: a client that followed would send its secrets
 * in the clear again with the next request, and nobody would notice.
 */
export function createPlainRedirect(
  { encryption, plainHttp, virtualHost }: Pick<HttpSettings, 'encryption' | 'plainHttp' | 'virtualHost'>,
  baseUrls: Pick<BaseUrls, 'cameEncrypted'>,
): ((request: IncomingRequest) => Answer | undefined) | undefined {
  if (encryption === undefined || plainHttp !== 'redirect') return undefined
  const { port } = encryption
  const known = virtualHost?.startsWith('https:') ? new URL(virtualHost).origin : undefined
  return (request) => {
    if (baseUrls.cameEncrypted(request) || isHealth({ under: 'server', path: request.serverPath })) return undefined
    const query = request.search === '' ? '' : `?${request.search}`
    const url = `${known ?? `https://${hostWithPort(request, port)}`}${request.path}${query}`
    if (!isSafeMethod(request.method)) throw encryptionNeeded({ url })
    return { kind: 'empty', status: 308, headers: { Location: url } }
  }
}
