import { rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../../base/ids.ts'
import type { ListedBlob } from '../blob-store.ts'
import { namesIn, renameIfThere, statIfThere } from './files-if-there.ts'

const leavingPattern = /^(?<key>[0-9a-f]+)\.[^.]+\.leaving$/

/**
 * Removes a file unless it was touched since it was listed. Looking at its age and then removing it would lose a file that is touched
 * in between, so it is taken from its place first: from then on nobody can touch it, and whoever wants to finds it gone and
 * brings the bytes anew. Until it is decided, and should the process end before, readers find it where it waits.
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

/** As if it had just come: where the same bytes came meanwhile, these must not make them look older than they are. */
export async function bringBack(leaving: string, path: string): Promise<void> {
  const now = new Date()
  await utimes(leaving, now, now)
  await rename(leaving, path)
}
