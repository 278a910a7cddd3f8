import { createHash, randomUUID } from 'node:crypto'
import { isoDate } from '../../../base/iso-date.ts'
import { isJsonObject, type Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Store, Transaction } from '../../../store/store.ts'

/** How far an import has come. It is written with what it tells of, so that one that was killed goes on where it was. */
export type ImportState = {
  /** Makes the new ids of this import others than those of any other. */
  readonly nonce: string
  /** Lines of the part that are done. */
  readonly documents: number
  readonly audit: number
  /** Documents of those lines that are here now. */
  readonly imported: number
  /** Documents of those lines that could not come along: what they show or relate is not here. */
  readonly leftOut: number
}

const prefix = 'archiveImport:'
// An import that nobody goes on with for so long begins anew.
const keptMillis = 30 * 24 * 3_600_000

/** The same for the same archive and the same place. */
export function importKey(manifestText: string, repository: string, target: string): string {
  return (
    prefix +
    createHash('sha256')
      .update(JSON.stringify([manifestText, repository, target]))
      .digest('hex')
  )
}

export function newImportState(): ImportState {
  return { nonce: randomUUID(), documents: 0, audit: 0, imported: 0, leftOut: 0 }
}

export async function findImportState({ reader }: Store, key: string): Promise<ImportState | undefined> {
  return stateOf(await reader.transient.find(key, isoDate(new Date())))
}

export function saveImportState({ transient }: Transaction, key: string, state: ImportState): Promise<void> {
  return transient.set(key, state, isoDate(new Date(Date.now() + keptMillis)))
}

export const importUnderWay = defineProblem(
  'importUnderWay',
  'conflict',
  (_: object) => 'The same archive is being imported to the same place by another command. Wait for its end.',
)

/** In the transaction that goes on from there. @throws importUnderWay where another run has come further meanwhile */
export async function requireState({ transient }: Transaction, key: string, before: ImportState): Promise<void> {
  const now = stateOf(await transient.find(key, isoDate(new Date())))
  if (now?.nonce !== before.nonce || now.documents !== before.documents || now.audit !== before.audit) throw importUnderWay({})
}

export function forgetImportState({ transient }: Transaction, key: string): Promise<void> {
  return transient.remove(key)
}

/** Who wrote it was this program. */
function stateOf(json: Json | undefined): ImportState | undefined {
  return isJsonObject(json) ? (json as unknown as ImportState) : undefined
}
