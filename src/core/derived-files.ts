import type { Json } from '../base/json.ts'
import { Problem } from '../base/problem.ts'
import { typedName } from '../base/typed-name.ts'
import type { Document, DocumentId } from '../model/document.ts'
import type { Model } from '../model/model.ts'
import { type BlobValue, isBlobValue } from '../model/properties/property.ts'
import { systemAccess } from './access.ts'
import { mainFile } from './blobs/document-blobs.ts'
import { type ChangedContent, saveContent } from './documents/save-document.ts'
import { announce } from './event.ts'
import { defineJob, type JobHandler } from './jobs/worker.ts'
import { madeInBackground } from './save-options.ts'
import type { DocumentEvent, InlineListener, Repository, WriteSession } from './session.ts'

/**
 * What is made of the main file of a document after the answer, and stored with the document: thumbnails, views, other formats. It is
 * about one file: once the document has another, or has what was to be made, nothing is left to do.
 */
export interface Derivation {
  /** The kind of its jobs. */
  readonly kind: string
  /** Whether it is still to be made of the file. Asked inside of transactions, and again before each job. */
  isAwaited(document: Document, file: BlobValue, model: Model): boolean
  /** Makes it, outside of any transaction, and saves it by `saveDerived`. It may be told more by who enqueued it. */
  make(found: DerivedFrom, repository: Repository, told: Json): Promise<void>
}

/** A document and the file that it had when something was to be made of it. */
export interface DerivedFrom {
  readonly document: Document
  readonly file: BlobValue
}

interface DerivedWork {
  readonly documentId: DocumentId
  readonly fileKey: string
  readonly told: Json
}

/** Enqueues a job for a document with a new file, in the transaction that brings it. Two for the same file are done once. */
export function awaitDerivation({ kind, isAwaited }: Derivation): InlineListener {
  return {
    name: `${kind}Awaited`,
    when: 'inline',
    events: ['documentCreated', 'documentModified', 'documentCreatedByCopy', 'documentImported'],
    changes: ({ name }) => name === mainFile,
    handle({ document, options }, session) {
      const file = findFile(document)
      if (options.media === false || document.isProxy || file === undefined) return undefined
      return isAwaited(document, file, session.model) ? enqueueDerivation(session, kind, { document, file }) : undefined
    },
  }
}

export async function enqueueDerivation(
  { tx, principal }: WriteSession,
  kind: string,
  { document, file }: DerivedFrom,
  told: Json = null,
): Promise<void> {
  const work = { documentId: document.id, fileKey: file.key, told }
  await tx.jobs.add(typedName<DerivedWork>(kind), work, { owner: principal.name })
}

// One for each of two users. How many conversions run at once is for the pool to say.
const workers = 2

/** Does what was enqueued, beside all other jobs: a file that takes a minute delays none of them. */
export function derivationJob({ kind, isAwaited, make }: Derivation): JobHandler {
  return defineJob({
    kind: typedName<DerivedWork>(kind),
    ownWorkers: workers,
    async run(work, repository) {
      const found = await findAwaited(work, repository)
      if (found !== undefined && isAwaited(found.document, found.file, repository.model)) await make(found, repository, work.told)
    },
  })
}

async function findAwaited({ documentId, fileKey }: DerivedWork, { store }: Repository): Promise<DerivedFrom | undefined> {
  const document = await store.reader.documents.find(documentId)
  const file = document && findFile(document)
  return document !== undefined && file?.key === fileKey ? { document, file } : undefined
}

export function findFile({ properties }: Document): BlobValue | undefined {
  const { [mainFile]: file = null } = properties
  return isBlobValue(file) ? file : undefined
}

/** Whether the event is of a new document or of another file: one that was only renamed keeps what was made of it. */
export function bringsFile({ document, properties }: DocumentEvent): boolean {
  const before = properties['previousDocumentModel'] as Document | undefined
  if (before === undefined) return true
  const [old, current] = [findFile(before), findFile(document)]
  return old?.key !== current?.key || old?.['mime-type'] !== current?.['mime-type']
}

/**
 * Saves what was made, unless the document is gone or has another file by now. Nobody is told but who listens to documents: no version,
 * no stamp, no row in the audit log. `contentFor` may run twice; undefined leaves the document as it is. The event tells that it was done.
 */
export function saveDerived(
  repository: Repository,
  { document: { id }, file }: DerivedFrom,
  contentFor: (current: Document, session: WriteSession) => ChangedContent | undefined,
  event?: string,
): Promise<Document | undefined> {
  return systemAccess(repository).write(async (session) => {
    const current = await session.tx.documents.findForUpdate(id)
    if (current === undefined || findFile(current)?.key !== file.key) return undefined
    const content = contentFor(current, session)
    const saved = content && (await saveContent(session, id, () => content, madeInBackground))
    if (saved !== undefined && event !== undefined) await announce(session, event, saved, { options: madeInBackground })
    return saved
  })
}

/**
 * Whether nothing can be made of the file, however often it is tried. Who is only too busy for it now, or is about to stop, tries again.
 */
export function isFinal(error: unknown, { stopping }: Repository): error is Problem {
  return error instanceof Problem && error.kind !== 'unavailable' && !stopping.signal.aborted
}
