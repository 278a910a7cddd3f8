import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Answer } from '../../rest/answer.ts'

/** What the build of the console left, looked at once: it does not change while a server runs. */
export interface ConsoleFiles {
  /** The page, with a place for where the server is mounted. */
  readonly page: string
  /** Undefined where there is no such file. */
  find(path: string, acceptedEncodings: string): Answer | undefined
}

const contentTypes: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}

/** Best first, with how the build names a file that is written so. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Undefined where the console was not built, as in a checkout without the packages for development. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | undefined> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absent)
  if (names === undefined) return undefined
  const paths = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const files = new Map<string, { readonly path: string; readonly size: number }>()
  for (const path of paths) {
    files.set(path.slice(folder.length + 1).replaceAll('\\', '/'), { path, size: (await stat(path)).size })
  }
  const page = files.get('index.html')
  if (page === undefined) return undefined
  return {
    page: await readFile(page.path, 'utf8'),
    find(name, accepted) {
      const contentType = contentTypes[extname(name)]
      if (contentType === undefined || !files.has(name)) return undefined
      const [encoding, suffix] = encodings.find(([one, end]) => accepted.includes(one) && files.has(`${name}${end}`)) ?? [
        undefined,
        '',
      ]
      const file = files.get(`${name}${suffix}`)
      if (file === undefined) return undefined
      return {
        kind: 'stream',
        status: 200,
        contentType,
        stream: createReadStream(file.path),
        headers: {
          // The build names what is below `assets` by its content.
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Content-Length': String(file.size),
          Vary: 'Accept-Encoding',
          ...(encoding !== undefined && { 'Content-Encoding': encoding }),
        },
      }
    },
  }
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
