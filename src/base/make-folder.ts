import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those that it is in, for this user alone, unless they are there. What Node.js has for that never ends where a file system
 * says of a new folder that what it would be in is not there, as those do that the system itself makes (/proc).
 * @throws the refusal of the system
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const above = dirname(path)
    if (codeOf(error) !== 'ENOENT' || above === path) return ifFolder(path, error)
    await makeFolder(above)
    await mkdir(path, { mode: 0o700 }).catch((again: unknown) => ifFolder(path, again))
  }
}

async function ifFolder(path: string, error: unknown): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
