import { Readable } from 'node:stream'
import type { FlowingBlob } from '../../automation/flowing-blob.ts'
import { createEntryNames } from '../../base/zip/entry-names.ts'
import { writeZip, type ZipContent, type ZipEntry } from '../../base/zip/write-zip.ts'
import { openBlob } from '../../core/blobs/open-blob.ts'
import type { Repository, Session } from '../../core/session.ts'
import { announceDownload } from '../../rest/download.ts'

export interface Packing {
  readonly name: string | null
  readonly signal: AbortSignal
}

/** A zip archive of the files. Who takes a file out of a document that way has downloaded it, and listeners are told so. */
export async function packFiles(session: Session, files: readonly FlowingBlob[], packing: Packing): Promise<FlowingBlob> {
  const nameOf = createEntryNames()
  const modified = new Date(session.now)
  const entries = files.map(
    (file): ZipEntry => ({ name: nameOf(file.blob.name), modified, content: zipContent(session.repository, file) }),
  )
  for (const { source, ...content } of files) await announceDownload(session, { ...content, ...source, reason: 'download' })
  return storeZip(session.repository, entries, packing)
}

/** Makes the archive where files are kept; it is collected like any file that no document refers to. */
export async function storeZip(
  { blobs }: Repository,
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  { name, signal }: Packing,
): Promise<FlowingBlob> {
  const stored = await blobs.write(Readable.from(writeZip(entries), { objectMode: false }), { signal })
  return { blob: { ...stored, name, 'mime-type': 'application/zip', encoding: null } }
}

/** The bytes of a file as an entry; they are read when it is their turn. */
export function zipContent({ blobs }: Repository, file: FlowingBlob): ZipContent {
  const { length, 'mime-type': type } = file.blob
  return { length, open: () => openBlob(blobs, file), isCompressed: type !== null && compressedTypes.test(type) }
}

const compressedTypes =
  /^(image\/(?!svg|bmp|x-ms-bmp|tiff)|audio\/|video\/|application\/(zip|gzip|x-7z|x-rar|java-archive|vnd\.(openxmlformats|oasis)))/
