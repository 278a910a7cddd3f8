import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineProblem } from '../base/problem.ts'
import type { Answer } from './answer.ts'
import { bytesAnswer } from './openapi/answers.ts'
import { routeOperationId } from './openapi/operation-id.ts'
import { Type } from './openapi/schema.ts'
import { downloadHeaders } from './request/declared-headers.ts'
import { defineRoute, type Route } from './route.ts'

/** Files of a plugin that browsers may fetch as they are: pages, scripts, pictures. */
export interface StaticFolder {
  /** Below the context root: `/invoices`. For a folder its `index.html` is given. */
  readonly path: string
  /** As `new URL('./pages/', import.meta.url)`. */
  readonly folder: URL
  /** Answered without credentials, as what a browser shows before the user has logged in. */
  readonly isPublic?: boolean
}

const noSuchFile = defineProblem('noSuchFile', 'notFound', (of: { path: string }) => `There is no file ${of.path.slice(0, 200)}.`)

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.map', 'application/json'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
])

/** The two addresses of a folder: its own, and those of the files in it. */
export function staticRoutes({ path, folder, isPublic = false }: StaticFolder): readonly Route[] {
  const shared = {
    method: 'GET',
    under: 'server',
    isPublic,
    headers: Type.Object({ 'If-None-Match': downloadHeaders['If-None-Match'] }),
    answers: { 200: bytesAnswer('The file'), 304: 'the client has it already', 404: 'there is no such file' },
  } as const
  return [
    defineRoute({
      ...shared,
      operationId: routeOperationId('GET', `${path}/page`),
      path,
      summary: `The page at ${path}`,
      handle: (_exchange, _parameters, { headers }) => answerFile(folder, '', headers['If-None-Match']),
    }),
    defineRoute({
      ...shared,
      operationId: routeOperationId('GET', `${path}/file`),
      path: `${path}/{file+}`,
      summary: `Files below ${path}`,
      handle: (_exchange, { file = '' }, { headers }) => answerFile(folder, file, headers['If-None-Match']),
    }),
  ]
}

async function answerFile(folder: URL, asked: string, known: string | undefined): Promise<Answer> {
  const path = await findFile(folder, asked)
  if (path === undefined) throw noSuchFile({ path: asked })
  const { size, mtimeMs } = await stat(path)
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  // Asked for again each time, and sent again only when it has changed.
  const headers = {
    ETag: etag,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': "default-src 'self'; frame-ancestors 'self'",
  }
  if (known === etag) return { kind: 'empty', status: 304, headers }
  const contentType = contentTypes.get(extname(path).toLowerCase()) ?? 'application/octet-stream'
  return {
    kind: 'stream',
    status: 200,
    contentType,
    stream: createReadStream(path),
    headers: { ...headers, 'Content-Length': String(size) },
  }
}

/** Only what lies in the folder, wherever links lead, and nothing that is hidden. */
async function findFile(folder: URL, asked: string): Promise<string | undefined> {
  if (asked.includes('\0') || asked.split(/[/\\]/).some((segment) => segment.startsWith('.'))) return undefined
  try {
    const root = await realpath(fileURLToPath(folder))
    const found = await realpath(join(root, asked))
    const path = (await stat(found)).isDirectory() ? await realpath(join(found, 'index.html')) : found
    return path.startsWith(`${root}${sep}`) && (await stat(path)).isFile() ? path : undefined
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(String(error.code))
}
