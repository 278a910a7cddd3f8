import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { defineProblem } from '../../../base/problem.ts'
import type { BlobStore } from '../../../store/blobs/blob-store.ts'
import type { SourceFile } from '../source-file.ts'
import type { SourceFileEntry } from './source-tree.ts'
import { reasonOf } from './tally.ts'

const fileUnreadable = defineProblem('fileUnreadable', 'notFound', (of: { reason: string }) => of.reason)

// A link or a pipe may have taken the place of the file since the walk: the one is not followed, the other not waited for.
const readingOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** A file on disk for the importers. Its bytes go to the blob store only when an importer wants them there. */
export function fileOnDisk({ path, name, length }: SourceFileEntry, blobs: Pick<BlobStore, 'write'>): SourceFile {
  const read: SourceFile['read'] = async (range) => (await openFile(path)).createReadStream({ ...range })
  const store = async () => {
    const content = await read()
    return blobs.write(content).finally(() => content.destroy())
  }
  return { name, mimeType: null, encoding: null, length, read, store }
}

/** @throws fileUnreadable */
export async function openFile(path: Buffer): Promise<FileHandle> {
  const file = await open(path, readingOnly).catch((cause) => {
    throw fileUnreadable({ reason: reasonOf(cause) }, { cause })
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw fileUnreadable({ reason: 'it is no longer a file' })
}

/** Whether an error is about a file that is imported: it cannot be opened, or its disk fails in the middle of it. */
export function isUnreadable(error: unknown): boolean {
  return fileUnreadable.is(error) || (error instanceof Error && 'syscall' in error && error.syscall === 'read')
}
