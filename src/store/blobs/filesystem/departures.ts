import { link, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../../../base/ids.ts'
import type { ListedBlob } from '../blob-store.ts'
import { syncFolder } from './durable-files.ts'
import { namesIn, renameIfThere, statIfThere } from './files-if-there.ts'

const leavingPattern = /^(?<key>[0-9a-f]+)\.[^.]+\.leaving$/

/**
 * Removes a file unless it was touched since it was listed. Looking at its age and then removing it would lose a file that is touched
 * in between, so it is taken from its place first: from then on it cannot be touched, and a writer that wants to finds it gone
 * and brings the bytes anew. Until it is decided, and should the process end before, readers find it where it waits.
 */
export async function removeUnlessTouched(path: string, { key, touched }: ListedBlob, waiting: string): Promise<boolean> {
  const leaving = join(waiting, `${key}.${newId()}.leaving`)
  if (!(await renameIfThere(path, leaving))) return false
  const { mtime = touched } = (await statIfThere(leaving)) ?? {}
  if (mtime.getTime() > touched.getTime()) {
    await bringBack(leaving, path)
    return false
  }
  await rm(leaving, { force: true })
  return true
}

/** Which blob a file is that waits for its removal; undefined for any other file. */
export function findLeavingKey(name: string): string | undefined {
  return leavingPattern.exec(name)?.groups?.['key']
}

export async function listLeaving(key: string, waiting: string): Promise<readonly string[]> {
  const names = await namesIn(waiting)
  return names.filter((name) => findLeavingKey(name) === key).map((name) => join(waiting, name))
}

/**
 * With the age it had, so that the collection that finds it can remove it after all. Where the same bytes came meanwhile they stay:
 * these must not make them look older than they are.
 */
export async function bringBack(leaving: string, path: string): Promise<void> {
  const failure = await link(leaving, path).catch((error: NodeJS.ErrnoException) => error.code)
  if (failure === 'ENOENT') return // another process did
  if (failure !== undefined && failure !== 'EEXIST') return bringBackAsNew(leaving, path)
  await syncFolder(dirname(path))
  await rm(leaving, { force: true })
}

/** For file systems without links: nothing there can take a place only if it is free. */
async function bringBackAsNew(leaving: string, path: string): Promise<void> {
  const now = new Date()
  await utimes(leaving, now, now)
  await rename(leaving, path)
}
