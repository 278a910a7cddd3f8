import { Problem } from '../../base/problem.ts'
import type { DocumentId } from '../../model/document.ts'
import type { Query } from '../../nxql/query.ts'
import { systemAccess } from '../access.ts'
import { defineJob, type JobHandler } from '../jobs/worker.ts'
import { selectsOtherDocuments } from '../search/page/documents-by-column.ts'
import { compile, scopeOf, searchDocuments } from '../search/page/run-query.ts'
import type { Session } from '../session.ts'
import { type BulkCommand, isOver, withFound } from './bulk-command.ts'
import { type BulkDependencies, type BulkWork, batchKind, giveUp, scrollKind, takeUpWork, tellParkedBulk } from './bulk-job.ts'
import { findProgressForUpdate, storeIds, storeProgress } from './bulk-records.ts'

// The query runs once for each page: few pages, and ids that are no burden in memory.
const idsInPage = 10_000

/** Writes down the ids of all documents that a command is about, a page at a time; then its batches begin. */
export function createScrollJob(deps: BulkDependencies): JobHandler {
  return defineJob({
    kind: scrollKind,
    isBulk: true,
    tellParked: (payload, repository) => tellParkedBulk(payload, repository),
    async run(payload, repository) {
      const work = await takeUpWork(deps, repository, payload)
      if (work === undefined) return
      const { after } = payload
      const found = await findPage(work, after).catch(refusalOf)
      if (typeof found === 'string') return giveUp(repository, work.command, found)
      const isProduced = deps.actions.get(work.command.action)?.produce !== undefined
      return storePage(work, after, { ...found, isProduced })
    },
  })
}

/** What cannot be searched for now cannot be later; what went wrong otherwise may go well the next time. */
function refusalOf(error: unknown): string {
  if (error instanceof Problem) return error.message
  throw error
}

interface FoundIds {
  readonly ids: readonly DocumentId[]
  readonly isLast: boolean
}

interface PageToStore extends FoundIds {
  readonly isProduced: boolean
}

function findPage({ access, command }: BulkWork, after: DocumentId | null): Promise<FoundIds> {
  return access.read((session) => findPageIn(command.isUnrestricted ? session.asSystem() : session, command, after))
}

async function findPageIn(session: Session, command: BulkCommand, after: DocumentId | null): Promise<FoundIds> {
  const query = compile(session, command.query)
  if (selectsOtherDocuments(query)) return { ids: await listNamed(session, query), isLast: true }
  const { search } = session.reader
  const scope = { ...(await scopeOf(session, query)), now: command.submitted }
  const isCut = query.limit !== undefined || query.offset > 0
  if (isCut) return { ids: await search.listIds(query, scope, { offset: 0 }), isLast: true }
  const ids = await search.listIds(byId(query, after), scope, { offset: 0, limit: idsInPage })
  return { ids, isLast: ids.length < idsInPage }
}

/** By id, so that each page begins where the one before ended, whatever the action did to the documents meanwhile. */
function byId(query: Query, after: DocumentId | null): Query {
  const reference = { kind: 'system', name: 'ecm:uuid', type: 'string', isList: false, identity: 'ecm:uuid' } as const
  const order = [{ value: reference, isDescending: false }]
  if (after === null) return { ...query, order }
  const low = { value: { kind: 'string', value: after }, isInclusive: false } as const
  const isBehind = { kind: 'value', reference, test: { kind: 'range', low }, negated: false } as const
  return { ...query, order, where: { kind: 'and', operands: [isBehind, query.where] } }
}

async function listNamed(session: Session, query: Query): Promise<readonly DocumentId[]> {
  const { documents } = await searchDocuments(session, query, { offset: 0 })
  return [...new Set(documents.map(({ id }) => id))]
}

/** A job may run twice: a page behind which others are stored already is left alone. */
async function storePage({ access, command }: BulkWork, after: DocumentId | null, found: PageToStore): Promise<void> {
  await systemAccess(access.repository).write(async ({ tx, now }) => {
    const before = await findProgressForUpdate(tx.transient, command.id, now)
    if (before === undefined || isOver(before) || before.scrollEnd !== null || before.lastFound !== after) return
    const wanted = withoutExcluded(command, found.ids)
    const ids = wanted.slice(0, Math.max(0, (command.limit ?? Number.POSITIVE_INFINITY) - before.total))
    const isLast = found.isLast || before.total + ids.length === command.limit
    const progress = withFound(before, { ids, lastFound: found.ids.at(-1) ?? after, isLast, isProduced: found.isProduced }, now)
    await storeIds(tx.transient, command.id, before.total, ids, now)
    await storeProgress(tx.transient, command, progress, now)
    const owner = command.username
    if (!isLast) await tx.jobs.add(scrollKind, { commandId: command.id, after: progress.lastFound }, { owner })
    else if (!isOver(progress)) await tx.jobs.add(batchKind, { commandId: command.id }, { owner })
  })
}

function withoutExcluded({ excluded }: BulkCommand, ids: readonly DocumentId[]): readonly DocumentId[] {
  if (excluded.length === 0) return ids
  const spared = new Set(excluded)
  return ids.filter((id) => !spared.has(id))
}
