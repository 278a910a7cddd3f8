import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Answer } from '../../rest/answer.ts'

/** The files that a plugin brings for the console. */
export interface PieceFolder {
  /** Of all files together, by what they hold: they import one another. */
  version(): Promise<string>
  /** Undefined where there is no such file. What is asked for in another version is answered with what there is now. */
  find(wanted: {
    readonly version: string
    readonly file: string
    readonly etag: string | undefined
  }): Promise<Answer | undefined>
}

/** Nothing else is sent: neither pages, which would stand beside the console with all its rights, nor sources and settings. */
const contentTypes: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

interface Glance {
  /** Says whether any file has changed, without reading one. */
  readonly signature: string
  readonly version: string
  /** The hash of each file, by its path in the folder. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * Looks at the folder again when its version is asked for, which a page does once; files are read only when one has changed since. So
 * an author sees a change with the next reload.
 */
export function createPieceFolder(folder: URL): PieceFolder {
  let last: Glance | undefined
  const look = async () => {
    const root = await realpath(fileURLToPath(folder))
    const found = await listFiles(root)
    const signature = JSON.stringify(found)
    if (last?.signature !== signature) last = { signature, ...(await hashFiles(root, found)) }
    return { root, ...last }
  }
  return {
    version: async () => (await look()).version,
    async find({ version, file, etag: known }) {
      const glance = last?.files.has(file) === true ? last : await look()
      const contentType = contentTypes[extname(file)]
      if (contentType === undefined || !glance.files.has(file)) return undefined
      const root = await realpath(fileURLToPath(folder))
      const bytes = await readFile(join(root, file))
      const hash = hashOf(bytes)
      // A browser keeps for good only what its address names.
      const isNamed = version === glance.version && hash === glance.files.get(file)
      const headers = {
        ETag: `"${hash}"`,
        'Cache-Control': isNamed ? 'private, max-age=31536000, immutable' : 'no-cache',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      }
      if (known === headers.ETag) return { kind: 'empty', status: 304, headers }
      return {
        kind: 'stream',
        status: 200,
        contentType,
        stream: Readable.from([bytes]),
        headers: { ...headers, 'Content-Length': String(bytes.length) },
      }
    },
  }
}

type ListedFile = readonly [path: string, size: number, changedAt: number]

/** What is hidden is not there, and neither is what a link leads to. */
async function listFiles(root: string): Promise<readonly ListedFile[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && contentTypes[extname(entry.name)] !== undefined)
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((segment) => segment.startsWith('.')))
    .sort()
  return await Promise.all(
    paths.map(async (path) => {
      const { size, mtimeMs } = await stat(join(root, path))
      return [path, size, mtimeMs] as const
    }),
  )
}

async function hashFiles(root: string, found: readonly ListedFile[]): Promise<Pick<Glance, 'version' | 'files'>> {
  const files = new Map<string, string>()
  for (const [path] of found) files.set(path, hashOf(await readFile(join(root, path))))
  return { files, version: hashOf(JSON.stringify([...files])) }
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}
