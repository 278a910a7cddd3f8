import type { ClientSaveOptions } from '../../core/save-options.ts'
import { parseVersioningOption } from '../../model/versioning.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { readHeaders } from '../../rest/payload/declared-input.ts'
import { saveHeaders } from '../../rest/request/declared-headers.ts'
import type { ApiRequest } from '../../rest/request/request.ts'

const declared = Type.Object(saveHeaders)

/**
 * How the headers of a request ask for a document to be saved. An explicit option makes the source of no account; a comment
 * is for changes only.
 */
export function saveOptionsOf(request: ApiRequest): ClientSaveOptions {
  const { 'X-Versioning-Option': option, Source: source, ...headers } = readHeaders(declared, request)
  const comment = request.method === 'PUT' ? headers['Update-Comment'] : undefined
  return {
    ...(option !== undefined && { versioning: parseVersioningOption(option) }),
    ...(option === undefined && source !== undefined && { source }),
    ...(comment !== undefined && { comment }),
  }
}
