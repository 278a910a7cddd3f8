import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import { type FlowingBlob, madeBlob } from '../../automation/values/flowing-blob.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { entryPath } from '../../base/zip/entry-names.ts'
import type { ZipEntry } from '../../base/zip/write-zip.ts'
import { extraField } from '../../base/zip/zip-records.ts'
import { everyStoredBlob } from '../../core/blobs/document-blobs.ts'
import type { RenditionCall, TakenFile } from '../../core/renditions/rendition.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { entryDate, type Packing, storeZip, zipContent } from '../files/index.ts'
import { blobFileName, writeDocumentXml } from './document-xml.ts'
import { type ExportedDocument, exportedAlone } from './exported-documents.ts'

interface ExportServices extends Pick<Packing['services'], 'valuesOf'> {
  readonly vendored: VendorIdentifiers
}

/** One document as XML. */
export async function writeXml({ vendored }: ExportServices, session: Session, document: Document): Promise<FlowingBlob> {
  const xml = await writeDocumentXml(session, document, exportedAlone(document), vendored)
  return madeBlob(xml, { name: 'document.xml', mimeType: 'text/xml' })
}

type Exported = AsyncIterable<ExportedDocument> | Iterable<ExportedDocument>

/** An archive of documents (contract: blobs 15.2): each is a folder with its XML and its files. @throws archiveTooLarge */
export function packTree(services: ExportServices, call: RenditionCall, documents: Exported): Promise<FlowingBlob> {
  const { session, signal } = call
  return storeZip(session.repository, archiveEntries(services, call, documents), { services, name: 'export.zip', signal })
}

async function* archiveEntries(services: ExportServices, call: RenditionCall, documents: Exported): AsyncGenerator<ZipEntry> {
  yield { name: services.vendored('.platform-archive'), modified: new Date(0) }
  for await (const exported of documents) {
    call.signal.throwIfAborted()
    for await (const entry of entriesOf(services, call, exported)) yield { ...entry, modified: entryDate(exported.document) }
  }
}

type Entry = Omit<ZipEntry, 'modified'>

async function* entriesOf(
  { vendored }: ExportServices,
  call: RenditionCall,
  { document, names, childCount }: ExportedDocument,
): AsyncGenerator<Entry> {
  const { session } = call
  const folder = names.length === 0 ? '' : `${entryPath(names)}/`
  if (folder !== '') yield { name: folder, extra: childCountField(childCount) }
  const xml = Buffer.from(await writeDocumentXml(session, document, { names }, vendored))
  yield { name: `${folder}document.xml`, content: { length: xml.length, open: async () => Readable.from([xml]) } }
  for await (const file of everyFile(call, document)) {
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
async function* everyFile(call: RenditionCall, document: Document): AsyncGenerator<TakenFile> {
  const { session } = call
  const stored = new Map([...everyStoredBlob(session, document)].map((found) => [found.blob.key, found]))
  for (const found of stored.values()) {
    const file = { ...found, document }
    if (!(await call.mayTake(file))) continue
    await call.tellTaken(file)
    yield file
  }
}
