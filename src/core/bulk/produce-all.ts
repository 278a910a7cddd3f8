import { Problem } from '../../base/problem.ts'
import type { DocumentId } from '../../model/document.ts'
import { systemAccess } from '../access.ts'
import type { BulkAction } from './bulk-action.ts'
import { isOver, withProduced } from './bulk-command.ts'
import { type BulkWork, giveUp } from './bulk-job.ts'
import { findProgress, findProgressForUpdate, readIds, storeProgress } from './bulk-records.ts'

const idsAtOnce = 200

/** Thrown where the documents are read, when nobody wants what is made of them any more. */
class GivenUp extends Error {}

/** Has an action make one thing of all documents, and tells how many it has read meanwhile. */
export async function produceAll(work: BulkWork, produce: NonNullable<BulkAction['produce']>): Promise<void> {
  const { access, command } = work
  const { repository } = access
  try {
    const result = await produce(access, everyPage(work), command)
    await systemAccess(repository).write(async ({ tx, now }) => {
      const before = await findProgressForUpdate(tx.transient, command.id, now)
      if (before === undefined || isOver(before)) return
      await storeProgress(tx.transient, command, withProduced(before, before.total, now, result), now)
    })
  } catch (error) {
    if (error instanceof GivenUp) return
    if (error instanceof Problem) return giveUp(repository, command, error.message)
    throw error
  }
}

/** @throws GivenUp */
async function* everyPage({ access: { repository }, command }: BulkWork): AsyncGenerator<readonly DocumentId[]> {
  const { transient } = repository.store.reader
  const total = (await findProgress(transient, command.id, repository.now()))?.total ?? 0
  for (let from = 0; from < total; from += idsAtOnce) {
    const to = Math.min(from + idsAtOnce, total)
    yield await readIds(transient, command.id, from, to, repository.now())
    await systemAccess(repository).write(async ({ tx, now }) => {
      const before = await findProgressForUpdate(tx.transient, command.id, now)
      if (before === undefined || isOver(before)) throw new GivenUp()
      await storeProgress(tx.transient, command, withProduced(before, to, now), now)
    })
  }
}
