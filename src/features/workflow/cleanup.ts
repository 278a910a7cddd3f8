import { systemAccess } from '../../core/access.ts'
import { type BulkAction, defineBulkAction } from '../../core/bulk/bulk-action.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { Repository } from '../../core/session.ts'
import { attachedIdsOf } from './instance/route-documents.ts'
import { removeInstance } from './removal.ts'

const cleanupKind = 'workflowInstancesCleanup'

export const cleanupSchedule: Schedule = { name: cleanupKind, everySeconds: 24 * 3_600, job: cleanupKind }

export interface CleanupRules {
  readonly isDisabled: boolean
  readonly batchSize: number
  /** Also what is under way on documents that are all gone. */
  readonly removesOrphans: boolean
}

export function cleanupJob(rules: CleanupRules): JobHandler {
  return { kind: cleanupKind, isBulk: true, run: (_, repository) => cleanUp(rules, repository) }
}

/** Removes instances that are done or cancelled, some in each transaction. */
export async function cleanUp({ isDisabled, batchSize, removesOrphans }: CleanupRules, repository: Repository): Promise<void> {
  if (isDisabled) return
  const states = removesOrphans ? "'done', 'canceled', 'running', 'ready'" : "'done', 'canceled'"
  for (let after = ''; ; ) {
    const page = await systemAccess(repository).write(async (session) => {
      const text = `SELECT * FROM DocumentRoute WHERE ecm:currentLifeCycleState IN (${states}) AND ecm:uuid > ${quoted(after)} ORDER BY ecm:uuid`
      const { documents } = await searchDocuments(session, compile(session, text), { offset: 0, limit: batchSize })
      for (const route of documents) {
        const isOver = route.state === 'done' || route.state === 'canceled'
        const attached = attachedIdsOf(route)
        const isOrphan = attached.length > 0 && (await session.tx.documents.findAll(attached)).length === 0
        if (isOver || isOrphan) await removeInstance(session, route.id)
      }
      return documents
    })
    const last = page.at(-1)
    if (last === undefined || page.length < batchSize) return
    after = last.id
  }
}

/** The same for those that an administrator has searched for. The name is what clients know it by. */
export const collectWorkflows: BulkAction = defineBulkAction({
  name: 'garbageCollectWokflows',
  isOpen: false,
  run: (session, id) => removeInstance(session, id),
})
