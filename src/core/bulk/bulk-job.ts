import { typedName } from '../../base/typed-name.ts'
import type { DocumentId } from '../../model/document.ts'
import { type Access, accessTo, systemAccess } from '../access.ts'
import type { Principals } from '../principals/principals.ts'
import type { Repository } from '../session.ts'
import type { BulkAction } from './bulk-action.ts'
import { type BulkCommand, failed, isOver } from './bulk-command.ts'
import { findCommand, findProgressForUpdate, storeProgress } from './bulk-records.ts'

interface CommandPayload {
  readonly commandId: string
}

export const scrollKind = typedName<CommandPayload & { readonly after: DocumentId | null }>('bulkScroll')
export const batchKind = typedName<CommandPayload>('bulkBatch')

/** What the jobs of a bulk command need beside the repository. */
export interface BulkDependencies {
  readonly principals: Pick<Principals, 'findDoer'>
  readonly actions: ReadonlyMap<string, BulkAction>
}

/** A command and who carries it out. */
export interface BulkWork {
  /** Of who asked for it, as of now: whatever rights were taken from them since are gone. */
  readonly access: Access
  readonly command: BulkCommand
}

/** Undefined when there is nothing to do: the command has expired, or its user is gone and it is given up. */
export async function takeUpWork(
  deps: BulkDependencies,
  repository: Repository,
  { commandId }: CommandPayload,
): Promise<BulkWork | undefined> {
  const command = await findCommand(repository.store.reader.transient, commandId, repository.now())
  if (command === undefined) return undefined
  const principal = await deps.principals.findDoer(command.username, command.submitted)
  if (principal !== undefined) return { access: accessTo(repository, principal), command }
  await giveUp(repository, command, `There is no user ${command.username} any more`)
  return undefined
}

/** For a job of a command that is parked: nobody goes on with the command. */
export async function tellParkedBulk({ commandId }: CommandPayload, repository: Repository): Promise<void> {
  const command = await findCommand(repository.store.reader.transient, commandId, repository.now())
  if (command !== undefined) await giveUp(repository, command, 'Internal Server Error')
}

export async function giveUp(repository: Repository, command: BulkCommand, failure: string): Promise<void> {
  await systemAccess(repository).write(async ({ tx, now }) => {
    const progress = await findProgressForUpdate(tx.transient, command.id, now)
    if (progress === undefined || isOver(progress)) return
    await storeProgress(tx.transient, command, failed(progress, failure, now), now)
  })
}
