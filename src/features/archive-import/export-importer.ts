import type { Importer } from '../../core/file-imports/importer.ts'
import type { Model } from '../../model/model.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { type ArchivedDocument, readArchived } from './archived-document.ts'
import { isExported, listXml, readXml, stageFrom } from './exported-archive.ts'
import { placeArchived } from './place-archived.ts'
import { type ArchiveLimits, type OpenArchive, openArchive } from './zip-file.ts'

export interface ArchiveMeans {
  readonly model: Model
  readonly blobs: BlobStore
  readonly limits: ArchiveLimits
}

// All of them become documents in one transaction, and others write meanwhile.
const maxDocuments = 5_000
// What they say is kept until all were read: some sixty megabytes at most.
const maxCharacters = 30_000_000
const maxElements = 500_000
/** Named by all of them, the same one each time: each costs a look into the archive, or a file of its own where it stands in the XML. */
const maxFiles = 20_000

/** Archives of documents, as `Document.Export` writes them (contract: blobs 15.2). */
export function exportImporter(means: () => ArchiveMeans): Importer {
  return {
    name: 'ExportedArchivePlugin',
    order: 10,
    mimeTypes: ['application/(zip|x-zip-compressed)'],
    altersFile: true,
    async prepare(file) {
      const { model, blobs, limits } = means()
      const archive = await openArchive(file, limits, isExported)
      if (archive === undefined) return undefined
      const archived = await readDocuments(archive, model, blobs, file.signal)
      return (session, target) => placeArchived(session, target, archived)
    },
  }
}

async function readDocuments(
  archive: OpenArchive,
  model: Model,
  blobs: BlobStore,
  signal: AbortSignal | undefined,
): Promise<readonly ArchivedDocument[]> {
  const names = listXml(archive)
  if (names.length > maxDocuments) archive.refuse(`it has more than ${maxDocuments} documents`)
  const documents: ArchivedDocument[] = []
  let [files, kept] = [0, { characters: 0, elements: 0 }]
  for (const name of names) {
    signal?.throwIfAborted()
    const onMissing = (data: string) =>
      archive.refuse(`${data.slice(0, 100)} is missing in it, which ${name.slice(0, 200)} names`)
    const stage = stageFrom(archive, name, blobs, { onMissing, signal })
    const { root, count, length } = await readXml(archive, name)
    kept = { characters: kept.characters + length, elements: kept.elements + count }
    if (kept.characters > maxCharacters) archive.refuse(`its documents have more than ${maxCharacters} characters of XML`)
    if (kept.elements > maxElements) archive.refuse(`its documents have more than ${maxElements} elements of XML`)
    const document = await readArchived(model, root, (data) => {
      if (data !== '' && ++files > maxFiles) archive.refuse(`its documents name more than ${maxFiles} files`)
      return stage(data)
    })
    if (!model.types.has(document.type)) archive.refuse(`there is no document type ${document.type.slice(0, 100)} here`)
    if (document.names.length === 0) archive.refuse(`${name.slice(0, 200)} in it does not say where it was`)
    documents.push(document)
  }
  // Folders before what is in them, as they are written; another program may have packed it anew.
  return documents.toSorted((left, right) => left.names.length - right.names.length)
}
