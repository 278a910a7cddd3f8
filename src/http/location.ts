import { type ParsedPath, parsePlainPath, parseUrlPath } from '../rest/url-path.ts'

/** Which part of the server a path belongs to. */
export type Location =
  /** Below `/api/v1` or an alias of it. */
  | { readonly kind: 'api'; readonly rawPath: string; readonly path: ParsedPath; readonly repository: string | undefined }
  /** Below the context root. Some of it needs credentials whether or not something is there. */
  | { readonly kind: 'server'; readonly rawPath: string; readonly path: ParsedPath; readonly isProtected: boolean }
  | { readonly kind: 'outside' }

/** Of an alias that stands for a part of the API, that part is kept. */
const apiRoots = [
  { prefix: '/api/v1', kept: 0 },
  { prefix: '/site/api/v1', kept: 0 },
  { prefix: '/site/automation', kept: '/automation'.length },
]
const protectedPrefixes = [
  '/api',
  '/site',
  '/nxfile',
  '/nxbigfile',
  '/nxbigblob',
  '/nxbigzipfile',
  '/nxblobstatus',
  '/nxdownloadinfo',
]

/** Finds the part of the server by the path as sent. @throws undecodablePath */
export function locate(basePath: string, path: string): Location {
  if (!isBelow(path, basePath)) return { kind: 'outside' }
  const inner = path.slice(basePath.length)
  for (const { prefix, kept } of apiRoots) {
    if (isBelow(inner, prefix)) return locateInApi(inner.slice(prefix.length - kept))
  }
  const isProtected = protectedPrefixes.some((prefix) => isBelow(inner, prefix))
  return { kind: 'server', rawPath: inner, path: parsePlainPath(inner), isProtected }
}

function locateInApi(rawPath: string): Location {
  const path = parseUrlPath(rawPath)
  const { segments, adapters } = path
  const repository = segments[0]?.text === 'repo' ? segments[1]?.text : undefined
  if (repository === undefined) return { kind: 'api', rawPath, path, repository }
  return { kind: 'api', rawPath, path: { segments: segments.slice(2), adapters }, repository }
}

function isBelow(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false
  return path.length === prefix.length || prefix === '' || path[prefix.length] === '/'
}
