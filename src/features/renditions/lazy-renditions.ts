import { madeBlob, storedBlob } from '../../automation/values/flowing-blob.ts'
import { Problem } from '../../base/problem.ts'
import { type TypedName, typedName } from '../../base/typed-name.ts'
import { accessIn, accessTo } from '../../core/access.ts'
import { mainBlob } from '../../core/blobs/document-blobs.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { requireShareOfQueue } from '../../core/jobs/queue-share.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import type { RenderedFile, Rendition, RenditionCall } from '../../core/renditions/rendition.ts'
import { variantOf } from '../../core/renditions/stored-rendition.ts'
import type { Repository, Session, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { announceDownload } from '../../rest/download/download.ts'
import { mayTake } from '../../rest/download/download-rule.ts'
import type { Services } from '../../rest/services.ts'
import { mayHaveFile, renderStored } from './stored-renditions.ts'

/** How far a rendition is that is made after the answer, as all processes see it. */
interface LazyState {
  readonly status: 'inProgress' | 'made' | 'nothing' | 'failed'
  /** Of which state of the document. */
  readonly of: string
  /** What was made last, perhaps of an earlier state. */
  readonly blob?: BlobValue
  /** Of which state that is. */
  readonly blobOf?: string
}

interface LazyWork {
  readonly documentId: DocumentId
  readonly name: string
  readonly user: string
  /** Absent from what an older program stored. */
  readonly asked?: string
  readonly key: TypedName<LazyState>
  readonly of: string
}

const kind = typedName<LazyWork>('makeRendition')
const [keptSeconds, awaitedSeconds, failedSeconds] = [7 * 86_400, 3_600, 600]

/**
 * A rendition that takes too long to wait for: what was made of the document as it is now, or a file that says how far it is, while it is
 * made in the background (contract: blobs 7.6). Undefined where there is nothing to make it of.
 */
export async function renderLazily(rendition: Rendition, call: RenditionCall): Promise<RenderedFile | undefined> {
  // Who may not have the file gets what making it now would give.
  if (!(await mayHaveFile(call))) return rendition.render(call)
  const { session, document } = call
  const [key, of] = [keyOf(rendition, session, document), fingerprintOf(session, document)]
  const found = await session.reader.transient.find(key, session.now)
  const state = found?.of === of && (await hasItsFile(session, found)) ? found : await schedule(rendition, call, key, of)
  const { status, blob, blobOf } = state
  if (status === 'nothing') return undefined
  if (status === 'failed') return marked(madeBlob('', { name: 'error', mimeType: 'text/plain' }), 'error')
  if (blob === undefined) return marked(madeBlob('', { name: 'inprogress', mimeType: 'text/plain' }), 'empty')
  return status === 'made' && blobOf === of ? { blob } : marked({ blob }, 'stale')
}

/** What a client may not keep: the next answer may be another. */
function marked(file: RenderedFile, mark: 'empty' | 'stale' | 'error'): RenderedFile {
  const { 'mime-type': type, ...blob } = file.blob
  return { ...file, blob: { ...blob, 'mime-type': `${type ?? 'application/octet-stream'};${mark}=true` }, isPassing: true }
}

function keyOf(rendition: Rendition, { principal }: Session, { id }: Document): TypedName<LazyState> {
  return typedName(`rendition/${id}/${rendition.name}/${variantOf(rendition, principal) ?? ''}`)
}

function fingerprintOf(session: Session, document: Document): string {
  return [document.properties['dc:modified'] ?? '', mainBlob(session, document)?.blob.digest ?? ''].join(' ')
}

/** Files that no document refers to are collected at times; then they are made again. */
async function hasItsFile({ repository: { blobs } }: Session, { status, blob }: LazyState): Promise<boolean> {
  return status !== 'made' || (blob !== undefined && (await blobs.has(blob.key)))
}

/** Two who ask at the same time have it made once. @throws tooManyJobsWait */
function schedule(
  rendition: Rendition,
  { session, document }: RenditionCall,
  key: TypedName<LazyState>,
  of: string,
): Promise<LazyState> {
  const user = session.principal.name
  return accessIn(session).write(async (writing: WriteSession) => {
    const { tx, now, repository } = writing
    const known = await tx.transient.find(key, now)
    if (known?.of === of && known.status === 'inProgress') return known
    const last = known?.blob !== undefined && (await repository.blobs.has(known.blob.key)) ? known : undefined
    const state: LazyState = { status: 'inProgress', of, ...(last?.blob && { blob: last.blob, blobOf: last.blobOf ?? '' }) }
    const work: LazyWork = { documentId: document.id, name: rendition.name, user, asked: now, key, of }
    await requireShareOfQueue(repository, tx.jobs, user, [kind])
    await tx.transient.set(key, state, after(now, awaitedSeconds))
    await tx.jobs.add(kind, work, { owner: user })
    return state
  })
}

function after(now: string, seconds: number): string {
  return new Date(Date.parse(now) + seconds * 1_000).toISOString()
}

const madeAtOnce = 2

/** Makes what was asked for, as who asked first, who may have lost the right by now: then there is nothing. */
export const lazyRenditionJob = (services: Services): JobHandler =>
  defineJob({
    kind,
    ownWorkers: madeAtOnce,
    async run(work, repository) {
      try {
        const rendered = await renderAs(services, repository, work)
        const blob = rendered && (await storedBlob(repository, rendered))
        if (blob === undefined) await tell(repository, work, { status: 'nothing', of: work.of }, failedSeconds)
        else await tell(repository, work, { status: 'made', of: work.of, blob, blobOf: work.of }, keptSeconds)
      } catch (err) {
        if (repository.stopping.signal.aborted || (err instanceof Problem && err.kind === 'unavailable')) throw err
        const isOurs = !(err instanceof Problem) || err.kind === 'failed'
        const about = { event: 'rendition.failed', document: work.documentId, rendition: work.name, err }
        services.log[isOurs ? 'error' : 'info'](about, 'a rendition could not be made')
        await tell(repository, work, { status: 'failed', of: work.of }, failedSeconds)
      }
    },
  })

function tell({ store, now }: Repository, { key }: LazyWork, state: LazyState, seconds: number): Promise<void> {
  return store.transact(({ transient }) => transient.set(key, state, after(now(), seconds)))
}

async function renderAs(services: Services, repository: Repository, work: LazyWork): Promise<RenderedFile | undefined> {
  const principal = await services.principals.findDoer(work.user, work.asked)
  if (principal === undefined) return undefined
  return accessTo(repository, principal).read(async (session) => {
    const document = await readDocument(session, work.documentId)
    const rendition = await services.renditions.find(session, document, work.name)
    return rendition && renderStored(rendition, callInBackground(services, session, document))
  })
}

function callInBackground({ downloads }: Services, session: Session, document: Document): RenditionCall {
  return {
    session,
    document,
    signal: session.repository.stopping.signal,
    mayTake: (file) => mayTake(downloads.rules, session, { ...file, reason: 'download' }),
    tellTaken: (file) => announceDownload(session, { ...file, reason: 'download' }),
  }
}
