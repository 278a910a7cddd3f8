import { isUtf8 } from 'node:buffer'
import { defineProblem } from '../../base/problem.ts'
import { readHeaders } from '../payload/declared-input.ts'
import { contentHeaders } from './declared-headers.ts'
import { malformedForm } from './form-parts.ts'
import type { ApiRequest } from './request.ts'

const formType = 'application/x-www-form-urlencoded'

export const notAForm = defineProblem(
  'notAForm',
  'unsupportedMediaType',
  (of: { contentType: string | undefined }) =>
    `The body is sent as ${of.contentType?.slice(0, 100) ?? 'nothing in particular'}. Send a form as ${formType}.`,
)

export const tooManyFields = defineProblem(
  'tooManyFields',
  'tooLarge',
  (of: { maxFields: number }) => `The form that was sent has more than the ${of.maxFields} fields allowed.`,
)

/** Whether a browser, or who does as one, posted a form. */
export function isPostedForm({ method, headers }: Pick<ApiRequest, 'method' | 'headers'>): boolean {
  return method === 'POST' && String(headers['content-type']).toLowerCase().startsWith(formType)
}

const maxFields = 1_000
const ampersand = 0x26

/** The fields of a form that is at hand. @throws tooManyFields */
export function parseFormBytes(bytes: Buffer): URLSearchParams {
  let count = 1
  for (let at = bytes.indexOf(ampersand); at >= 0; at = bytes.indexOf(ampersand, at + 1)) {
    if (++count > maxFields) throw tooManyFields({ maxFields })
  }
  return new URLSearchParams(bytes.toString('utf8'))
}

/**
 * The fields of a form as browsers send it unless told otherwise. For a route that `streamsBody`.
 * @throws notAForm, malformedForm, bodyTooLarge, tooManyFields
 */
export async function readUrlEncodedForm(request: ApiRequest, limits: { readonly maxBytes: number }): Promise<URLSearchParams> {
  const contentType = readHeaders(contentHeaders, request)['Content-Type']
  if (contentType?.split(';', 1)[0]?.trim().toLowerCase() !== formType) throw notAForm({ contentType })
  const bytes = Buffer.concat(await request.openBody(limits).toArray())
  const fields = parseFormBytes(bytes)
  // What is no UTF-8 behind the percent signs becomes U+FFFD, and passwords that were typed differently would be one.
  if (!isUtf8(bytes) || [...fields.values()].some((value) => value.includes('\ufffd')))
    throw malformedForm({ reason: 'it is not UTF-8' })
  return fields
}
