import type { Importer } from '../../core/file-imports/importer.ts'
import type { Model } from '../../model/model.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { type ArchivedDocument, inlinedBytes, readArchived, type StageBlob } from './archived-document.ts'
import { placeArchived } from './place-archived.ts'
import { MalformedXml, parseXml, type XmlNode } from './xml-tree.ts'
import { type ArchiveLimits, type OpenArchive, openArchive } from './zip-file.ts'

export interface ArchiveMeans {
  readonly model: Model
  readonly blobs: BlobStore
  readonly limits: ArchiveLimits
}

const markers = ['.platform-archive', '.nuxeo-archive']
const xmlName = 'document.xml'
// All of them become documents in one transaction, and others write meanwhile.
const maxDocuments = 5_000
// More than a document may have in its properties.
const maxXmlBytes = 10 * 1024 ** 2

/** Archives of documents, as `Document.Export` writes them (contract: blobs 15.2). */
export function exportImporter(means: () => ArchiveMeans): Importer {
  return {
    name: 'ExportedArchivePlugin',
    order: 10,
    mimeTypes: ['application/(zip|x-zip-compressed)'],
    async prepare(file) {
      const { model, blobs, limits } = means()
      const archive = await openArchive(file, limits)
      if (archive === undefined || !markers.some((name) => archive.names.has(name))) return undefined
      const archived = await readDocuments(archive, model, blobs)
      return (session, target) => placeArchived(session, target, archived)
    },
  }
}

async function readDocuments(archive: OpenArchive, model: Model, blobs: BlobStore): Promise<readonly ArchivedDocument[]> {
  const names = [...archive.names].filter((name) => name === xmlName || name.endsWith(`/${xmlName}`))
  if (names.length === 0) archive.refuse('no document is in it')
  if (names.length > maxDocuments) archive.refuse(`it has more than ${maxDocuments} documents`)
  const documents: ArchivedDocument[] = []
  for (const name of names) {
    const folder = name.slice(0, -xmlName.length)
    const document = await readArchived(model, await readXml(archive, name), stageFrom(archive, folder, blobs))
    if (!model.types.has(document.type)) archive.refuse(`there is no document type ${document.type.slice(0, 100)} here`)
    if (document.names.length === 0) archive.refuse(`${name.slice(0, 200)} in it does not say where it was`)
    documents.push(document)
  }
  // Folders before what is in them, as they are written; another program may have packed it anew.
  return documents.toSorted((left, right) => left.names.length - right.names.length)
}

async function readXml(archive: OpenArchive, name: string): Promise<XmlNode> {
  try {
    return parseXml((await archive.readText(name, maxXmlBytes)) ?? '')
  } catch (error) {
    if (error instanceof MalformedXml) archive.refuse(`${name.slice(0, 200)} in it is no XML that can be read`, error)
    throw error
  }
}

/** A file beside the XML, each content once, or the bytes in it. */
function stageFrom(archive: OpenArchive, folder: string, blobs: BlobStore): StageBlob {
  return async (data) => {
    const stream = data === '' || data.includes('/') ? undefined : await archive.open(folder + data)
    if (stream === undefined) {
      const bytes = inlinedBytes(data)
      return bytes && blobs.write(bytes)
    }
    try {
      return await blobs.write(stream)
    } catch (error) {
      if (error instanceof Error && !('code' in error)) archive.refuse(`${data.slice(0, 100)} in it is damaged`, error)
      throw error
    }
  }
}
