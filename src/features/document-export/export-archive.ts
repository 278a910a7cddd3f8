import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { OperationContext } from '../../automation/context.ts'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { entryPath } from '../../base/zip/entry-names.ts'
import type { ZipEntry } from '../../base/zip/write-zip.ts'
import { extraField } from '../../base/zip/zip-records.ts'
import { everyStoredBlob } from '../../core/blobs/document-blobs.ts'
import type { Document } from '../../model/document.ts'
import { announceDownload } from '../../rest/download/download.ts'
import { findTakenFile, zipContent } from '../files/index.ts'
import { blobFileName, writeDocumentXml } from './document-xml.ts'
import type { ExportedDocument } from './exported-documents.ts'

/** The entries of an archive of documents (contract: blobs 15.2): each is a folder with its XML and its files. */
export async function* archiveEntries(
  context: OperationContext,
  documents: AsyncIterable<ExportedDocument> | Iterable<ExportedDocument>,
): AsyncGenerator<ZipEntry> {
  const modified = new Date(context.session.now)
  yield { name: context.services.vendored('.platform-archive'), modified }
  for await (const exported of documents) {
    for await (const entry of entriesOf(context, exported)) yield { ...entry, modified }
  }
}

type Entry = Omit<ZipEntry, 'modified'>

async function* entriesOf(context: OperationContext, { document, names, childCount }: ExportedDocument): AsyncGenerator<Entry> {
  const { session } = context
  const folder = names.length === 0 ? '' : `${entryPath(names)}/`
  if (folder !== '') yield { name: folder, extra: childCountField(childCount) }
  const xml = Buffer.from(await writeDocumentXml(session, document, { names }, context.services.vendored))
  yield { name: `${folder}document.xml`, content: { length: xml.length, open: async () => Readable.from([xml]) } }
  for await (const file of everyFile(context, document)) {
    yield { name: folder + blobFileName(file.blob), content: zipContent(session.repository, file) }
  }
}

// A number that no other program uses. Four bytes without a number before them, as other servers write them, make strict programs
// refuse the whole archive.
const childCountId = 0x4351

function childCountField(count: number): Uint8Array {
  const data = Buffer.alloc(4)
  data.writeUInt32LE(count)
  return extraField(childCountId, data)
}

/** Each content once. What may not be downloaded is left out, and of what is not listeners are told. */
async function* everyFile(context: OperationContext, document: Document): AsyncGenerator<FlowingBlob> {
  const { session } = context
  const stored = new Map([...everyStoredBlob(session, document)].map((found) => [found.blob.key, found]))
  for (const found of stored.values()) {
    const file = await findTakenFile(context, document, found)
    if (file === undefined) continue
    const { source, ...content } = file
    await announceDownload(session, { ...content, ...source, reason: 'download' })
    yield file
  }
}
