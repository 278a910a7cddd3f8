import type { Answer } from '../../rest/answer.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { prefersHtml } from '../request/request-headers.ts'

/**
 * Leads a person to the start page whose browser was led to the server itself, where there is nothing for programs: those are told so,
 * as ever.
 */
export function createWelcome(basePath: string, startPage: string): (request: IncomingRequest) => Answer | undefined {
  return ({ path, method, headers }) => {
    const isRoot = path === '/' || path === basePath || path === `${basePath}/`
    if (!isRoot || !['GET', 'HEAD'].includes(method) || !prefersHtml(headers.accept)) return undefined
    return { kind: 'empty', status: 302, headers: { Location: `${linkPrefix(basePath, path)}${startPage}`, Vary: 'Accept' } }
  }
}

/** From the address to the context root, by a link that holds wherever a proxy shows it. */
function linkPrefix(basePath: string, path: string): string {
  if (path === `${basePath}/`) return ''
  return path === '/' ? `${basePath.slice(1)}/` : `${basePath.slice(basePath.lastIndexOf('/') + 1)}/`
}
