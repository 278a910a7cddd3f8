import type { DocumentId } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Access } from '../access.ts'
import type { Session, WriteSession } from '../session.ts'
import type { BulkCommand } from './bulk-command.ts'

/** Something that can be done to every document of a search. */
export interface BulkAction {
  readonly name: string
  /** Whether every user may start it; otherwise only administrators. It runs with the rights of the user who started it. */
  readonly isOpen: boolean
  /** Its parameters name an operation to run, which is then the user's choice. */
  readonly namesOperation?: boolean
  /** Documents in one transaction, 25 unless told and 100 at most. */
  readonly batchSize?: number
  /** Throws what is wrong with the parameters, before anything starts. */
  check?(parameters: JsonObject, session: Session): void
  /** Does it to one document, which may be gone by then. What it throws is counted as an error, and the others go on. */
  run?(session: WriteSession, id: DocumentId, parameters: JsonObject, command: BulkCommand): Promise<void>
  /** Does it to all documents of a batch at once, instead of to one after the other. */
  runAll?(session: WriteSession, ids: readonly DocumentId[], command: BulkCommand): Promise<void>
  /**
   * For a command that waits for more than the store: what does it to one document outside of any transaction, so that no writer
   * waits for it, and perhaps twice if the server is killed meanwhile. Undefined for all other commands.
   */
  findSlowRun?(command: BulkCommand): SlowRun | undefined
  /**
   * Instead of `run`: makes one thing of all documents, outside of any transaction and perhaps twice if the server is killed meanwhile.
   * Gives what clients find in the status under `result`.
   */
  produce?(access: Access, ids: AsyncIterable<readonly DocumentId[]>, command: BulkCommand): Promise<JsonObject>
}

export type SlowRun = (access: Access, id: DocumentId) => Promise<void>

/**
 * Declares an action that clients start on the result of a search.
 * @example
 * export const archive = defineBulkAction({
 *   name: 'archive',
 *   isOpen: true,
 *   run: async (session, id) => void (await saveDocument(session, id, { 'inv:archived': true })),
 * })
 */
export function defineBulkAction(action: BulkAction): BulkAction {
  return action
}
