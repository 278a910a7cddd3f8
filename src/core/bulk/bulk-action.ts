import type { JsonObject } from '../../model/coercion.ts'
import type { DocumentId } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import type { WriteSession } from '../session.ts'

/** Something that can be done to every document of a search. */
export interface BulkAction {
  readonly name: string
  /** Whether anybody may start it; otherwise only administrators. What it does, it does with the rights of who started it. */
  readonly isOpen: boolean
  /** Documents in one transaction, 25 unless told. */
  readonly batchSize?: number
  /** Throws what is wrong with the parameters, before anything starts. */
  check?(parameters: JsonObject, model: Model): void
  /** Does it to one document, which may be gone by then. What it throws is counted as an error, and the others go on. */
  run(session: WriteSession, id: DocumentId, parameters: JsonObject): Promise<void>
}

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
