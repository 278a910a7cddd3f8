import { Readable } from 'node:stream'
import type { OperationServices } from '../../automation/context.ts'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { createEntryNames } from '../../base/zip/entry-names.ts'
import { writeZip, type ZipContent, type ZipEntry } from '../../base/zip/write-zip.ts'
import { type BlobContent, openBlob } from '../../core/blobs/open-blob.ts'
import type { TakenFile } from '../../core/renditions/rendition.ts'
import type { Repository, Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { announceDownload } from '../../rest/download/download.ts'
import type { Download } from '../../rest/download/download-rule.ts'
import { fileSettings } from './settings.ts'

export const archiveTooLarge = defineProblem(
  'archiveTooLarge',
  'tooLarge',
  (of: { max: number }) =>
    `The files are larger together than the ${of.max} bytes that one archive may hold. Ask for fewer at once.`,
)

export interface Packing {
  readonly services: Pick<OperationServices, 'valuesOf'>
  readonly name: string | null
  readonly signal: AbortSignal
}

/** A file for an archive, and those of other documents that it is made of. */
export interface PackedFile extends FlowingBlob {
  readonly contains?: readonly TakenFile[]
}

/** A zip archive of the files. Who takes a file out of a document that way has downloaded it, and listeners are told so. */
export async function packFiles(session: Session, files: readonly PackedFile[], packing: Packing): Promise<FlowingBlob> {
  const nameOf = createEntryNames()
  const modified = new Date(session.now)
  const different = withoutRepeated(files)
  requireSize(
    packing,
    different.reduce((sum, { blob }) => sum + blob.length, 0),
  )
  const entries = different.map(
    (file): ZipEntry => ({ name: nameOf(file.blob.name), modified, content: zipContent(session.repository, file) }),
  )
  for (const { source, furtherSources = [], contains = [], ...content } of different) {
    const download: Download = { ...content, ...source, reason: 'download' }
    const further = furtherSources.map((one): Download => ({ ...download, ...one }))
    const parts = contains.map((part): Download => ({ ...part, reason: 'download' }))
    await announceDownload(session, { ...download, contains: [...further, ...parts] })
  }
  return storeZip(session.repository, entries, packing)
}

/** A file that is named again is in the archive once: two hundred times 5 MB would be a gigabyte of the same. */
function withoutRepeated(files: readonly PackedFile[]): readonly PackedFile[] {
  const byContent = new Map<unknown, PackedFile>()
  for (const file of files) {
    const { blob, source } = file
    // Two that were sent are two, also where they are equal.
    const key = source === undefined ? blob : JSON.stringify([blob.digest, blob.name, source.document.id, source.xpath])
    if (!byContent.has(key)) byContent.set(key, file)
  }
  return [...byContent.values()]
}

/** @throws archiveTooLarge */
function requireSize({ services }: Pick<Packing, 'services'>, bytes: number): void {
  const { archiveMaxBytes: max } = services.valuesOf(fileSettings)
  if (bytes > max) throw archiveTooLarge({ max })
}

async function* withinSize(packing: Packing, entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<ZipEntry> {
  let bytes = 0
  for await (const entry of entries) {
    bytes += entry.content?.length ?? 0
    requireSize(packing, bytes)
    yield entry
  }
}

/** Makes the archive in the blob store; it is collected like any file that no document refers to. @throws archiveTooLarge */
export async function storeZip(
  repository: Repository,
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  packing: Packing,
): Promise<FlowingBlob> {
  const { blobs } = repository
  const { name, signal } = packing
  const stored = await blobs.write(Readable.from(writeZip(withinSize(packing, entries)), { objectMode: false }), { signal })
  return { blob: { ...stored, name, 'mime-type': 'application/zip', encoding: null } }
}

/** Of the document and not of now: as long as nothing changes an archive is made of the same bytes, and can be fetched in parts. */
export function entryDate({ properties }: Document): Date {
  const modified = properties['dc:modified']
  return new Date(typeof modified === 'string' ? modified : 0)
}

/** The bytes of a file as an entry; they are read when the entry is written. */
export function zipContent({ blobs }: Repository, file: BlobContent): ZipContent {
  const { length, 'mime-type': type } = file.blob
  return { length, open: () => openBlob(blobs, file), isCompressed: type !== null && compressedTypes.test(type) }
}

const compressedTypes =
  /^(image\/(?!svg|bmp|x-ms-bmp|tiff)|audio\/|video\/|application\/(zip|gzip|x-7z|x-rar|java-archive|vnd\.(openxmlformats|oasis)))/
