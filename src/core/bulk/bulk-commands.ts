import { newId } from '../../base/ids.ts'
import { defineProblem } from '../../base/problem.ts'
import type { DocumentId } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { isOwn } from '../../model/rights/principal.ts'
import { openSession } from '../access.ts'
import { requireShareOfQueue } from '../jobs/queue-share.ts'
import type { Repository, Session, WriteSession } from '../session.ts'
import type { BulkAction } from './bulk-action.ts'
import { aborted, type BulkCommand, type BulkProgress, notBegun, unlessTold } from './bulk-command.ts'
import { batchKind, scrollKind } from './bulk-job.ts'
import { addCommand, findCommand, findProgress, findProgressForUpdate, storeProgress } from './bulk-records.ts'

export const bulkCommandNotFound = defineProblem(
  'bulkCommandNotFound',
  'notFound',
  (of: { id: string }) => `Bulk command with id=${of.id} doesn't exist`,
)

export const bulkActionClosed = defineProblem(
  'bulkActionClosed',
  'forbidden',
  (of: { action: string; principal: string }) =>
    `The bulk action ${of.action} is for administrators, and '${of.principal}' is none`,
)

/** A command with how far it has come. */
export interface BulkStatus {
  readonly command: BulkCommand
  readonly progress: BulkProgress
}

export interface BulkDraft {
  readonly parameters: JsonObject
  readonly query: string
  readonly isUnrestricted: boolean
  readonly limit?: number
  /** Documents that are found and left alone. */
  readonly excluded?: readonly DocumentId[]
  readonly batchSize?: number
  /** The base URL of links for the caller. */
  readonly baseUrl?: string
}

/** Starts an action on all that a query finds: it is done in the background, as the session's principal. @throws bulkActionClosed, tooManyJobsWait */
export async function submitBulk(session: WriteSession, action: BulkAction, draft: BulkDraft): Promise<BulkStatus> {
  const { principal, tx, now: submitted } = session
  if (!action.isOpen && !principal.isAdministrator) throw bulkActionClosed({ action: action.name, principal: principal.name })
  action.check?.(draft.parameters, session)
  await requireShareOfQueue(session.repository, tx.jobs, principal.name, [scrollKind, batchKind])
  const command: BulkCommand = {
    ...unlessTold,
    ...draft,
    id: newId(),
    action: action.name,
    username: principal.name,
    submitted,
  }
  await addCommand(tx.transient, command, notBegun)
  await tx.jobs.add(scrollKind, { commandId: command.id, after: null }, { owner: principal.name })
  return { command, progress: notBegun }
}

/** @throws bulkCommandNotFound, also to users who did not start it, but for administrators */
export async function readBulk({ reader, principal, now }: Session, id: string): Promise<BulkStatus> {
  const command = await findCommand(reader.transient, id, now)
  const progress = command && (await findProgress(reader.transient, id, now))
  if (command === undefined || progress === undefined) throw bulkCommandNotFound({ id })
  if (!principal.isAdministrator && !isOwn(principal, command.username, command.submitted)) throw bulkCommandNotFound({ id })
  return { command, progress }
}

export type Repositories = ReadonlyMap<string, Repository>

/**
 * A session where the command is: here, unless another repository has it. It may be started in any, and is known by its id alone.
 * Whether the principal may know of it is for the caller to check.
 */
export async function sessionOfBulk(session: Session, repositories: Repositories, id: string): Promise<Session> {
  const isIn = ({ reader, now }: Session) => findCommand(reader.transient, id, now)
  if ((await isIn(session)) !== undefined) return session
  for (const repository of repositories.values()) {
    const there = openSession(repository, session.principal)
    if ((await isIn(there)) !== undefined) return there
  }
  return session
}

/** Lets the batch that is under way end and does no further one. @throws bulkCommandNotFound */
export async function abortBulk(session: WriteSession, id: string): Promise<BulkStatus> {
  const { command } = await readBulk(session, id)
  const { tx, now } = session
  const progress = aborted((await findProgressForUpdate(tx.transient, id, now)) ?? notBegun, now)
  await storeProgress(tx.transient, command, progress, now)
  return { command, progress }
}
