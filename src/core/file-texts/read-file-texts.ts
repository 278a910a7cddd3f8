import { Problem } from '../../base/problem.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { type BlobValue, blobsIn } from '../../model/properties/property.ts'
import { readTextsKind, type TextSource, textSourceOf } from '../../store/file-texts.ts'
import { systemAccess } from '../access.ts'
import { type BlobUses, usesByKey } from '../blob-check/check-blobs.ts'
import { announce } from '../event.ts'
import { defineJob, type JobHandler } from '../jobs/worker.ts'
import type { InlineListener, Repository } from '../session.ts'
import { plainMimeType, type TextExtractor } from './text-extractor.ts'

export interface FileTextOptions {
  readonly extractors: readonly TextExtractor[]
  /** Characters stored of the text of a file; 0 is no limit. */
  readonly sizeLimit: number
  /** Files that are read at once. */
  readonly workers: number
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
      const awaiting = tx.listAwaitingTexts().filter(({ sources }) => sources.some(isReadable))
      const ids = awaiting.map(({ documentId }) => documentId)
      for (let start = 0; start < ids.length; start += documentsInOneJob) {
        await tx.jobs.add(readTextsKind, { documentIds: ids.slice(start, start + documentsInOneJob) }, { owner })
      }
    },
  }
}

/** Reads files that were not read yet, and has full text find their documents by what is in them. */
export function readFileTextsJob(options: FileTextOptions): JobHandler {
  const underWay: UnderWay = new Map()
  return defineJob({
    kind: readTextsKind,
    // A file that takes a minute delays no other job.
    ownWorkers: options.workers,
    async run({ documentIds }, repository) {
      const documents = await repository.store.reader.documents.findAll(documentIds)
      const readable = documents.filter((document) => readableFiles(document, options).length > 0)
      await readFiles(
        repository,
        readable.flatMap((document) => readableFiles(document, options)),
        options,
        underWay,
      )
      for (let start = 0; start < readable.length; start += documentsInOneTransaction) {
        const ids = readable.slice(start, start + documentsInOneTransaction).map(({ id }) => id)
        await indexAll(repository, ids)
      }
    },
  })
}

function readableFiles({ properties }: Pick<Document, 'properties'>, { extractors }: FileTextOptions): readonly BlobValue[] {
  const files = Object.values(properties).flatMap(blobsIn)
  return files.filter((file) => findExtractor(extractors, textSourceOf(file).mimeType) !== undefined)
}

/** Files that this process is reading, by repository, key and type: a copy or a version brings the same file to another worker. */
type UnderWay = Map<string, Promise<void>>

async function readFiles(
  repository: Repository,
  files: readonly BlobValue[],
  options: FileTextOptions,
  underWay: UnderWay,
): Promise<void> {
  const unread = await repository.store.reader.fileTexts.listUnread(files.map(textSourceOf))
  for (const source of unread) {
    const file = files.find((one) => one.key === source.key && textSourceOf(one).mimeType === source.mimeType)
    if (file === undefined) continue
    const name = JSON.stringify([repository.name, source.key, source.mimeType])
    const reading = underWay.get(name) ?? readUnlessRead(repository, source, file, options)
    underWay.set(name, reading)
    try {
      await reading
    } finally {
      underWay.delete(name)
    }
  }
}

async function readUnlessRead(
  repository: Repository,
  source: TextSource,
  file: BlobValue,
  options: FileTextOptions,
): Promise<void> {
  const unread = await repository.store.reader.fileTexts.listUnread([source])
  if (unread.length === 0) return
  const { text } = await readText(repository, file, options)
  await repository.store.transact((tx) => tx.fileTexts.save(source, text))
}

/** What could be read of a file, and why nothing could. */
interface ReadText {
  readonly text: string
  readonly reason?: string
}

async function readText(repository: Repository, file: BlobValue, { extractors, sizeLimit }: FileTextOptions): Promise<ReadText> {
  const { mimeType } = textSourceOf(file)
  const readAgain = () => repository.blobs.read(file.key, undefined, file.length)
  const content = await readAgain()
  const wanted = { content, readAgain, name: file.name, mimeType: plainMimeType(mimeType), encoding: file.encoding }
  try {
    const text = await findExtractor(extractors, mimeType)?.extract({ ...wanted, sizeLimit: sizeLimit || undefined })
    return { text: sizeLimit === 0 ? (text ?? '') : (text ?? '').slice(0, sizeLimit) }
  } catch (err) {
    repository.log.warn({ event: 'text.unread', key: file.key, mimeType, err }, 'no text could be read from a file')
    return { text: '', reason: err instanceof Problem ? err.message : 'It cannot be read.' }
  } finally {
    content.destroy()
  }
}

function findExtractor(extractors: readonly TextExtractor[], mimeType: string): TextExtractor | undefined {
  const plain = plainMimeType(mimeType)
  return extractors.find((extractor) => extractor.accepts(plain))
}

/** A file that was read anew. */
export interface RereadFile {
  readonly key: string
  readonly mimeType: string
  readonly characters: number
  readonly documents: number
  /** Why nothing could be read. */
  readonly reason?: string
}

/**
 * Reads all files of the repository anew that an extractor can read, each once, and has full text find their documents by what is in
 * them now: after converters have learnt something, or programs were installed.
 */
export async function* rereadFileTexts(repository: Repository, options: FileTextOptions): AsyncGenerator<RereadFile> {
  for await (const uses of usesByKey(repository)) yield* rereadFile(repository, uses, options)
}

/** The same for one file, as each of the types that its documents say it is. */
export async function* rereadFile(repository: Repository, uses: BlobUses, options: FileTextOptions): AsyncGenerator<RereadFile> {
  const [{ key }] = uses
  const files = uses.flatMap((use) => readableFiles(use, options)).filter((file) => file.key === key)
  const byType = new Map(files.map((file) => [textSourceOf(file).mimeType, file]))
  const ids = [...new Set(uses.map(({ documentId }) => documentId))]
  for (const [mimeType, file] of byType) {
    const { text, reason } = await readText(repository, file, options)
    await repository.store.transact((tx) => tx.fileTexts.save({ key, mimeType }, text))
    for (let start = 0; start < ids.length; start += documentsInOneTransaction)
      await indexAll(repository, ids.slice(start, start + documentsInOneTransaction))
    yield { key, mimeType, characters: text.length, documents: ids.length, ...(reason !== undefined && { reason }) }
  }
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
