import { readdirSync, readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'

// What Linux counts memory in, on every machine that Node.js runs on but a few, where it is more and the limit so much stricter.
const pageBytes = 4_096

/**
 * The memory of a process of ours and of all that it has started; 0 where the system does not tell, which is everywhere but on Linux.
 * Read at once: these files are in memory, and each took several trips to the thread pool otherwise, which was a quarter of what
 * conversions cost the server. Ours starts programs from its main thread alone.
 */
export function residentBytes(processId: number | undefined): number {
  if (processId === undefined || platform() !== 'linux') return 0
  return childrenOf(processId, [String(processId)]).reduce((sum, child) => sum + familyBytes(child), ownBytes(processId))
}

function familyBytes(processId: number): number {
  return childrenOf(processId, threadsOf(processId)).reduce((sum, child) => sum + familyBytes(child), ownBytes(processId))
}

function ownBytes(processId: number): number {
  const [, resident = '0'] = textIfThere(`/proc/${processId}/statm`).split(' ')
  return Number(resident) * pageBytes
}

function threadsOf(processId: number): readonly string[] {
  try {
    return readdirSync(`/proc/${processId}/task`)
  } catch {
    return []
  }
}

/** Each thread has those that it has started. */
function childrenOf(processId: number, threads: readonly string[]): readonly number[] {
  const lists = threads.map((thread) => textIfThere(`/proc/${processId}/task/${thread}/children`))
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((text) => text !== '')
      .map(Number),
  )
}

/** Empty for a process that is gone. */
function textIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The bytes of all files in a folder, counted until they are more than enough. */
export async function folderBytes(folder: string, enough: number): Promise<number> {
  let bytes = 0
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await folderBytes(path, enough - bytes)
    else bytes += (await stat(path).catch(() => undefined))?.size ?? 0
    if (bytes > enough) break
  }
  return bytes
}
