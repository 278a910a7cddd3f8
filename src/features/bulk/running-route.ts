import { defineProblem } from '../../base/problem.ts'
import { openSession } from '../../core/access.ts'
import { isOver } from '../../core/bulk/bulk-command.ts'
import { bulkCommandNotFound, readBulk } from '../../core/bulk/bulk-commands.ts'
import { batchKind, scrollKind } from '../../core/bulk/bulk-job.ts'
import type { Session } from '../../core/session.ts'
import { entity } from '../../rest/answer.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { bulkStatusSchema, writeBulkStatus } from '../../rest/render/bulk-status-entity.ts'
import { defineRoute } from '../../rest/route.ts'

export const bulksForAdministrators = defineProblem(
  'bulksForAdministrators',
  'forbidden',
  (_: object) => 'Only administrators see the bulk commands of everybody.',
)

const runningSchema = Type.Object(
  { 'entity-type': Type.Literal('bulkStatuses'), entries: Type.Array(bulkStatusSchema) },
  { $id: 'BulkStatuses' },
)

const mostShown = 100
const mostLookedAt = 1_000

/** The commands of everybody that are under way (contract: documents 11.2). */
export const runningBulksRoute = defineRoute({
  method: 'GET',
  path: '/management/bulk',
  operationId: 'listRunningBulks',
  under: 'api',
  summary: `Bulk commands of everybody that are not over, at most ${mostShown}, the oldest first`,
  answers: { 200: runningSchema, 403: 'no administrator' },
  async handle({ principal, services }) {
    if (!principal.isAdministrator) throw bulksForAdministrators({})
    const entries: Static<typeof bulkStatusSchema>[] = []
    for (const repository of services.repositories.values()) {
      const session = openSession(repository, principal)
      for (const id of await commandsUnderWay(session)) {
        const status = entries.length < mostShown ? await findStatus(session, id) : undefined
        if (status !== undefined) entries.push(status)
      }
    }
    return entity('bulkStatuses', { 'entity-type': 'bulkStatuses', entries } satisfies Static<typeof runningSchema>)
  },
})

/** By the jobs that carry them out: a command that is over has none, but one that was given up. */
async function commandsUnderWay({ reader: { jobs } }: Session): Promise<ReadonlySet<string>> {
  const found = [
    ...(await jobs.list({ kind: scrollKind }, mostLookedAt)),
    ...(await jobs.list({ kind: batchKind }, mostLookedAt)),
  ]
  return new Set(found.map(({ payload }) => (payload as { readonly commandId: string }).commandId))
}

/** Undefined of one that was given up, or ended while it was asked for. */
async function findStatus(session: Session, id: string): Promise<Static<typeof bulkStatusSchema> | undefined> {
  try {
    const status = await readBulk(session, id)
    return isOver(status.progress) ? undefined : writeBulkStatus(status)
  } catch (error) {
    if (bulkCommandNotFound.is(error)) return undefined
    throw error
  }
}
