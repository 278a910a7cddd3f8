import { readdir, readFile, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'

// What Linux counts memory in, on every machine that Node.js runs on but a few, where it is more and the limit so much stricter.
const pageBytes = 4_096

/** The memory of a process and of all that it has started; 0 where the system does not tell, which is everywhere but on Linux. */
export async function residentBytes(processId: number | undefined): Promise<number> {
  if (processId === undefined || platform() !== 'linux') return 0
  const [own, children] = await Promise.all([ownBytes(processId), childrenOf(processId)])
  const others = await Promise.all(children.map(residentBytes))
  return others.reduce((sum, bytes) => sum + bytes, own)
}

async function ownBytes(processId: number): Promise<number> {
  const [, resident = '0'] = (await textIfThere(`/proc/${processId}/statm`)).split(' ')
  return Number(resident) * pageBytes
}

/** Each thread has those that it has started. */
async function childrenOf(processId: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${processId}/task`).catch(() => [])
  const lists = await Promise.all(threads.map((thread) => textIfThere(`/proc/${processId}/task/${thread}/children`)))
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((text) => text !== '')
      .map(Number),
  )
}

/** Empty for a process that is gone. */
async function textIfThere(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
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
