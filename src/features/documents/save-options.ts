import type { ClientSaveOptions } from '../../core/save-options.ts'
import { parseVersioningOption } from '../../model/versioning.ts'
import { type ApiRequest, findHeader } from '../../rest/request/request.ts'

/**
 * How the headers of a request ask for a document to be saved. An explicit option makes the source of no account; a comment
 * is for changes only.
 */
export function saveOptionsOf(request: ApiRequest): ClientSaveOptions {
  const option = findHeader(request, 'x-versioning-option')
  const source = findHeader(request, 'source')
  const comment = request.method === 'PUT' ? findHeader(request, 'update-comment') : undefined
  return {
    ...(option !== undefined && { versioning: parseVersioningOption(option) }),
    ...(option === undefined && source !== undefined && { source }),
    ...(comment !== undefined && { comment }),
  }
}
