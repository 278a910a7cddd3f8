import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { type JsonLimits, parseJsonBytes } from '../../rest/render/json-bytes.ts'
import { parseFormBytes } from '../../rest/request/url-encoded-form.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { type ByteLimits, hasBody, mediaType, readBytes } from './request-bytes.ts'

export const notJson = defineProblem(
  'notJson',
  'unsupportedMediaType',
  (of: { mediaType: string | undefined }) =>
    `A request body must have the Content-Type application/json, not ${of.mediaType ?? 'none'}.`,
)

export type BodyLimits = ByteLimits & JsonLimits

const jsonMediaType = /^application\/json(\+(nxentity|nxrequest|esentity))?$/

/**
 * The JSON of a request; undefined when it has no body, whatever its content type says.
 * @throws notJson, malformedJson, bodyTooLarge, tooManyValues, nestedTooDeep
 */
export async function readJsonBody(request: IncomingRequest, limits: BodyLimits): Promise<Json | undefined> {
  if (!hasBody(request)) return undefined
  const type = mediaType(request)
  const bytes = await readBytes(request, limits)
  if (bytes.length === 0) return undefined
  if (type === undefined || !jsonMediaType.test(type)) throw notJson({ mediaType: type })
  return parseJsonBytes(bytes, limits)
}

/**
 * The same for what may be sent as a form, too: the JSON is then its field `jsondata`. A body of several parts is left to whoever
 * wants them.
 */
export async function readJsonOrForm(request: IncomingRequest, limits: BodyLimits): Promise<Json | undefined> {
  const type = mediaType(request)
  if (type?.startsWith('multipart/')) return undefined
  if (type !== 'application/x-www-form-urlencoded' || !hasBody(request)) return readJsonBody(request, limits)
  const form = parseFormBytes(await readBytes(request, limits))
  const sent = form.get('jsondata')
  return sent === null ? undefined : parseJsonBytes(Buffer.from(sent), limits)
}
