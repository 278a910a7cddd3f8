import { createWriteStream } from 'node:fs'
import { realpath, rename, rm } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../base/ids.ts'
import { defineProblem } from '../../base/problem.ts'

export const folderNotAllowed = defineProblem(
  'folderNotAllowed',
  'forbidden',
  (of: { folder: string }) => `Not allowed, the target directory is: ${of.folder}. It belongs to the server itself.`,
)

export const folderNotUsable = defineProblem(
  'folderNotUsable',
  'invalid',
  (of: { folder: string; reason: string }) => `No file can be written to ${of.folder}: ${of.reason}.`,
)

/**
 * The folder that an administrator named. Links on the way count for where they lead.
 * @throws folderNotUsable, folderNotAllowed
 */
export async function readExportFolder(folder: string, ownFolders: readonly string[]): Promise<string> {
  if (!isAbsolute(folder) || folder.includes('\0')) throw folderNotUsable({ folder, reason: 'it is no absolute path' })
  try {
    const place = await realpath(folder)
    for (const own of ownFolders) if (isAtOrBelow(place, await realpath(own))) throw folderNotAllowed({ folder })
    return place
  } catch (error) {
    throw isOfFileSystem(error) ? folderNotUsable({ folder, reason: error.code }, { cause: error }) : error
  }
}

function isAtOrBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Writes a file whole or not at all; one of that name makes way. A link of that name does, too, and not what it leads to.
 * @throws folderNotUsable
 */
export async function writeToFolder(folder: string, name: string, content: Readable, signal: AbortSignal): Promise<void> {
  const part = join(folder, `.${newId()}.part`)
  try {
    await pipeline(content, createWriteStream(part, { flags: 'wx' }), { signal })
    await rename(part, join(folder, name))
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw isOfFileSystem(error) ? folderNotUsable({ folder, reason: error.code }, { cause: error }) : error
  }
}

function isOfFileSystem(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}
