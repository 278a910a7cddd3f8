import type { Stats } from 'node:fs'
import { type FileHandle, open, readdir, rename, stat, utimes } from 'node:fs/promises'

// What other processes may remove at any moment is not looked for first: it is used, and being gone is an answer.

export function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path).catch(undefinedIfMissing)
}

export function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch(undefinedIfMissing)
}

/** Makes its age start anew from then; false when there is no such file. */
export function touchIfThere(path: string, now: Date): Promise<boolean> {
  return utimes(path, now, now).then(done).catch(falseIfMissing)
}

/** False when there is no such file. */
export function renameIfThere(path: string, newPath: string): Promise<boolean> {
  return rename(path, newPath).then(done).catch(falseIfMissing)
}

/** Nothing when there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(undefinedIfMissing)) ?? []
}

const done = () => true

function falseIfMissing(error: unknown): boolean {
  return undefinedIfMissing(error) ?? false
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
