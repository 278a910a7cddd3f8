import { yieldToEventLoop } from '../../base/event-loop.ts'
import { Problem } from '../../base/problem.ts'
import type { DocumentId } from '../../model/document.ts'
import { systemPrincipal } from '../../model/rights/principal.ts'
import { type Access, accessTo } from '../access.ts'
import { defineJob, type JobHandler } from '../jobs/worker.ts'
import type { WriteSession } from '../session.ts'
import type { BulkAction, SlowRun } from './bulk-action.ts'
import { type BulkProgress, isOver, withBatch } from './bulk-command.ts'
import { type BulkDependencies, type BulkWork, batchKind, giveUp, takeUpWork, tellParkedBulk } from './bulk-job.ts'
import { findProgress, findProgressForUpdate, readIds, storeProgress } from './bulk-records.ts'
import { produceAll } from './produce-all.ts'

const usualBatchSize = 25
/** Whatever the caller says: other writers wait for the end of a batch. */
const mostInBatch = 100

// A job for each batch would spend more on claiming and finishing jobs than on documents. After this time slice other jobs run.
const timeSliceMillis = 500

/** Does what a command asks to its documents, batch after batch from wherever it is, and leaves the rest to another job. */
export function createBatchJob(deps: BulkDependencies): JobHandler {
  return defineJob({
    kind: batchKind,
    isBulk: true,
    tellParked: tellParkedBulk,
    async run(payload, repository, _signal, progress) {
      const work = await takeUpWork(deps, repository, payload)
      if (work === undefined) return
      const { command } = work
      const action = deps.actions.get(command.action)
      if (action === undefined) return giveUp(repository, command, `There is no bulk action ${command.action} any more`)
      if (action.produce !== undefined) return produceAll(work, action.produce)
      const batchSize = Math.min(command.batchSize ?? action.batchSize ?? usualBatchSize, mostInBatch)
      const slowRun = action.findSlowRun?.(command)
      const isLeft = await runTimeSlice({ ...work, action, batchSize }, slowRun)
      if (isLeft) await repository.store.transact((tx) => progress.handOver(tx, batchKind, { commandId: command.id }))
    },
  })
}

interface BatchWork extends BulkWork {
  readonly action: BulkAction
  readonly batchSize: number
}

/** Gives whether documents are left. */
async function runTimeSlice(work: BatchWork, slowRun: SlowRun | undefined): Promise<boolean> {
  const end = performance.now() + timeSliceMillis
  while (await (slowRun === undefined ? runBatch(work) : runSlowly(work, slowRun))) {
    if (performance.now() >= end) return true
  }
  return false
}

/** All of a batch in one transaction. Where one fails, nothing is done, and they are done again one by one. Gives whether others are left. */
async function runBatch(work: BatchWork): Promise<boolean> {
  const position = await findPosition(work)
  if (position === undefined) return false
  const to = position + work.batchSize
  try {
    return (await advance(work, work.access, { to, act: true })) !== undefined
  } catch (error) {
    const about = { event: 'bulk.batchFailed', command: work.command.id, err: error }
    work.access.repository.log.debug(about, 'bulk batch is done one by one')
    for (;;) {
      const reached = await advanceByOne(work)
      if (reached === undefined || reached >= to) return reached !== undefined
    }
  }
}

async function advanceByOne(work: BatchWork): Promise<number | undefined> {
  try {
    return await advance(work, work.access, { act: true })
  } catch (error) {
    return advance(work, onBehalf(work.access), { act: false, failure: sayWhy(work, error) })
  }
}

/** The next document, before it is counted. Gives whether others are left. */
async function runSlowly(work: BatchWork, run: SlowRun): Promise<boolean> {
  const from = await findPosition(work)
  const [id] = from === undefined ? [] : await readIdsFrom(work, from)
  if (from === undefined || id === undefined) return false
  const failure = await run(work.access, id).then(
    () => undefined,
    (error: unknown) => sayWhy(work, error),
  )
  const step = { act: false, from, ...(failure !== undefined && { failure }) }
  return (await advance(work, onBehalf(work.access), step)) !== undefined
}

/** How many documents are done; undefined when nothing is left, or the command was given up. */
async function findPosition({ access: { repository }, command }: BatchWork): Promise<number | undefined> {
  const progress = await findProgress(repository.store.reader.transient, command.id, repository.now())
  return progress === undefined || isOver(progress) ? undefined : progress.processed
}

function readIdsFrom({ access: { repository }, command }: BatchWork, position: number): Promise<readonly DocumentId[]> {
  return readIds(repository.store.reader.transient, command.id, position, position + 1, repository.now())
}

function sayWhy({ access: { repository }, command }: BatchWork, error: unknown): string {
  if (error instanceof Problem) return error.message
  repository.log.error({ event: 'bulk.failed', command: command.id, action: command.action, err: error }, 'a bulk action failed')
  return 'Internal Server Error'
}

interface Advance {
  /** Only from this position: a worker that took longer than its lease may have been overtaken by another. */
  readonly from?: number
  /** Up to this position; the next one alone when absent. */
  readonly to?: number
  /** Whether the action is run, or what made it fail is counted. */
  readonly act: boolean
  readonly failure?: string
}

/** The server, for the same user: progress is written whatever rights they have. */
function onBehalf({ repository, principal }: Access): Access {
  return accessTo(repository, systemPrincipal(principal))
}

/** Gives the position that was reached; undefined when it is over. */
function advance(work: BatchWork, access: Access, { from, to, act, failure }: Advance): Promise<number | undefined> {
  const { command } = work
  return access.write(async (session) => {
    const { tx, now } = session
    const before = await findProgressForUpdate(tx.transient, command.id, now)
    if (before === undefined || isOver(before)) return undefined
    const { processed } = before
    const end = Math.min(to ?? processed + 1, before.total)
    if (end <= processed || (from ?? processed) !== processed) return processed
    if (act) await runAll(session, work, await readIds(tx.transient, command.id, processed, end, now))
    const batch = { size: end - processed, began: now, ended: access.repository.now(), ...(failure !== undefined && { failure }) }
    return storeBatch(session, work, withBatch(before, batch))
  })
}

async function runAll(session: WriteSession, { action, command }: BatchWork, ids: readonly DocumentId[]): Promise<void> {
  if (action.runAll !== undefined) return action.runAll(session, ids, command)
  for (const id of ids) {
    await action.run?.(session, id, command.parameters, command)
    await yieldToEventLoop()
  }
}

async function storeBatch(
  { tx, now }: WriteSession,
  { command }: BatchWork,
  progress: BulkProgress,
): Promise<number | undefined> {
  await storeProgress(tx.transient, command, progress, now)
  return isOver(progress) ? undefined : progress.processed
}
