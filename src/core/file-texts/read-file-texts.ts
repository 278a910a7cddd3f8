import type { Json } from '../../base/json.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { type BlobValue, blobsIn } from '../../model/properties/property.ts'
import { readTextsKind, type TextSource, textSourceOf } from '../../store/file-texts.ts'
import { systemAccess } from '../access.ts'
import { announce } from '../event.ts'
import type { JobHandler } from '../jobs/worker.ts'
import type { InlineListener, Repository } from '../session.ts'
import { plainMimeType, type TextExtractor } from './text-extractor.ts'

export interface FileTextOptions {
  readonly extractors: readonly TextExtractor[]
  /** Characters stored of the text of a file; 0 is no limit. */
  readonly sizeLimit: number
}

// Few enough that a job ends soon and another process may take the next.
const documentsInOneJob = 50
const documentsInOneTransaction = 20

/** Adds a job for files that an extractor can read, in the very transaction that brought them. */
export function awaitFileTexts({ extractors }: FileTextOptions): InlineListener {
  const isReadable = ({ mimeType }: TextSource) => findExtractor(extractors, mimeType) !== undefined
  return {
    name: 'awaitFileTexts',
    when: 'inline',
    events: ['sessionSaved'],
    async handle(_event, { tx, principal: { name: owner } }) {
      const awaiting = tx.fileTexts.listAwaiting().filter(({ sources }) => sources.some(isReadable))
      const ids = awaiting.map(({ documentId }) => documentId)
      for (let start = 0; start < ids.length; start += documentsInOneJob) {
        await tx.jobs.add(readTextsKind, { documentIds: ids.slice(start, start + documentsInOneJob) }, { owner })
      }
    },
  }
}

/** Reads files that were not read yet, and has full text find their documents by what is in them. */
export function readFileTextsJob(options: FileTextOptions): JobHandler {
  return {
    kind: readTextsKind,
    async run(payload, repository) {
      const documents = await repository.store.reader.documents.findAll(documentIdsIn(payload))
      const readable = documents.filter((document) => readableFiles(document, options).length > 0)
      await readFiles(
        repository,
        readable.flatMap((document) => readableFiles(document, options)),
        options,
      )
      for (let start = 0; start < readable.length; start += documentsInOneTransaction) {
        const ids = readable.slice(start, start + documentsInOneTransaction).map(({ id }) => id)
        await indexAll(repository, ids)
      }
    },
  }
}

function documentIdsIn(payload: Json): readonly DocumentId[] {
  const { documentIds } = payload as { readonly documentIds: readonly DocumentId[] }
  return documentIds
}

function readableFiles({ properties }: Document, { extractors }: FileTextOptions): readonly BlobValue[] {
  const files = Object.values(properties).flatMap(blobsIn)
  return files.filter((file) => findExtractor(extractors, textSourceOf(file).mimeType) !== undefined)
}

async function readFiles(repository: Repository, files: readonly BlobValue[], options: FileTextOptions): Promise<void> {
  const unread = await repository.store.reader.fileTexts.listUnread(files.map(textSourceOf))
  for (const source of unread) {
    const file = files.find((one) => one.key === source.key && textSourceOf(one).mimeType === source.mimeType)
    if (file === undefined) continue
    const text = await readText(repository, file, options)
    await repository.store.transact((tx) => tx.fileTexts.save(source, text))
  }
}

async function readText(repository: Repository, file: BlobValue, { extractors, sizeLimit }: FileTextOptions): Promise<string> {
  const { mimeType } = textSourceOf(file)
  const content = await repository.blobs.read(file.key, undefined, file.length)
  const wanted = { content, mimeType: plainMimeType(mimeType), encoding: file.encoding }
  try {
    const text = await findExtractor(extractors, mimeType)?.extract({ ...wanted, sizeLimit: sizeLimit || undefined })
    return sizeLimit === 0 ? (text ?? '') : (text ?? '').slice(0, sizeLimit)
  } catch (err) {
    repository.log.warn({ event: 'text.unread', key: file.key, mimeType, err }, 'no text could be read from a file')
    return ''
  } finally {
    content.destroy()
  }
}

function findExtractor(extractors: readonly TextExtractor[], mimeType: string): TextExtractor | undefined {
  const plain = plainMimeType(mimeType)
  return extractors.find((extractor) => extractor.accepts(plain))
}

async function indexAll(repository: Repository, ids: readonly DocumentId[]): Promise<void> {
  await systemAccess(repository).write(async (session) => {
    for (const id of ids) {
      await session.tx.fileTexts.index(id)
      const document = await session.tx.documents.find(id)
      if (document !== undefined) await announce(session, 'binaryTextUpdated', document, { options: { audit: false } })
    }
  })
}
