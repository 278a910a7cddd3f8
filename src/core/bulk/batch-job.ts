import { Problem } from '../../base/problem.ts'
import { type Principal, systemPrincipal } from '../../model/principal.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { transact } from '../open-session.ts'
import type { WriteSession } from '../session.ts'
import type { BulkAction } from './bulk-action.ts'
import { type BulkProgress, isOver, withBatch } from './bulk-command.ts'
import { type BulkDependencies, type BulkWork, batchKind, giveUp, takeUpWork } from './bulk-job.ts'
import { holdProgress, keepProgress, readIds } from './bulk-records.ts'

const usualBatchSize = 25

/** Does what a command asks to some of its documents; the job of the next ones is added in the same transaction. */
export function createBatchJob(deps: BulkDependencies): JobHandler {
  return {
    kind: batchKind,
    async run(payload, repository) {
      const work = await takeUpWork(deps, repository, payload)
      if (work === undefined) return
      const action = deps.actions.get(work.command.action)
      if (action === undefined) return giveUp(work, `There is no bulk action ${work.command.action} any more`)
      const { start } = payload as { readonly start: number }
      await runBatch({ ...work, action, end: start + (action.batchSize ?? usualBatchSize) })
    },
  }
}

interface BatchWork extends BulkWork {
  readonly action: BulkAction
  /** Where the batch ends, if there are as many documents. */
  readonly end: number
}

/** All of them in one transaction. Where one fails, nothing is done, and they are done again one by one. */
async function runBatch(work: BatchWork): Promise<void> {
  try {
    await advance(work, work.principal, { to: work.end, act: true })
  } catch (error) {
    work.repository.log.debug(
      { event: 'bulk.batchFailed', command: work.command.id, err: error },
      'bulk batch is done one by one',
    )
    while (await advanceByOne(work));
  }
}

async function advanceByOne(work: BatchWork): Promise<boolean> {
  try {
    return await advance(work, work.principal, { act: true })
  } catch (error) {
    return advance(work, systemPrincipal(work.principal), { act: false, failure: sayWhy(work, error) })
  }
}

function sayWhy({ repository, command }: BatchWork, error: unknown): string {
  if (error instanceof Problem) return error.message
  repository.log.error({ event: 'bulk.failed', command: command.id, action: command.action, err: error }, 'a bulk action failed')
  return 'Internal Server Error'
}

interface Advance {
  /** Up to this position; the next one alone when absent. */
  readonly to?: number
  /** Whether the action is run, or what made it fail is counted. */
  readonly act: boolean
  readonly failure?: string
}

/** Gives whether documents of the batch are left. */
function advance(work: BatchWork, principal: Principal, { to, act, failure }: Advance): Promise<boolean> {
  const { repository, command, action } = work
  return transact(repository, principal, async (session) => {
    const { tx, now } = session
    const before = await holdProgress(tx.transient, command.id, now)
    if (before === undefined || isOver(before) || before.processed >= work.end) return false
    const ids = await readIds(tx.transient, command.id, before.processed, to ?? before.processed + 1, now)
    if (act) for (const id of ids) await action.run(session, id, command.parameters)
    const size = Math.min(to ?? before.processed + 1, before.total) - before.processed
    const batch = { size, began: now, ended: repository.now(), ...(failure !== undefined && { failure }) }
    return continueFrom(session, work, withBatch(before, batch))
  })
}

async function continueFrom({ tx, now }: WriteSession, { command, end }: BatchWork, progress: BulkProgress): Promise<boolean> {
  await keepProgress(tx.transient, command, progress, now)
  if (isOver(progress)) return false
  if (progress.processed < end) return true
  await tx.jobs.add(batchKind, { commandId: command.id, start: end })
  return false
}
