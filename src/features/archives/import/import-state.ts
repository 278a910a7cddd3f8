import { createHash, randomUUID } from 'node:crypto'
import { isoDate } from '../../../base/iso-date.ts'
import { defineProblem } from '../../../base/problem.ts'
import { type TypedName, typedName } from '../../../base/typed-name.ts'
import type { Store, Transaction } from '../../../store/store.ts'

/** How far an import has come. It is written with what it tells of, so that one that was killed goes on where it was. */
export type ImportState = {
  /** Of the manifest of the archive. */
  readonly archive: string
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

/** An archive that goes to a place. */
export interface ImportIdentity {
  /** Of the manifest of the archive. */
  readonly archive: string
  /** Where it is written down how far it has come: the same for the same archive and place, and for all that want a whole repository. */
  readonly key: TypedName<ImportState>
}

export function importIdentity(
  manifestText: string,
  target: { readonly path: string; readonly isWhole: boolean },
): ImportIdentity {
  const archive = sha256(manifestText)
  return { archive, key: typedName(`${prefix}${target.isWhole ? 'whole' : sha256(JSON.stringify([archive, target.path]))}`) }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export function newImportState({ archive }: ImportIdentity): ImportState {
  return { archive, nonce: randomUUID(), documents: 0, audit: 0, imported: 0, leftOut: 0 }
}

export const importUnderWay = defineProblem(
  'importUnderWay',
  'conflict',
  (_: object) => 'The same archive is being imported to the same place by another command. Wait for its end.',
)

export const otherImportBegun = defineProblem(
  'otherImportBegun',
  'conflict',
  (_: object) =>
    'Another archive is being imported into this repository, or such an import was stopped. Nothing was imported. Give that command once ' +
    'more, or begin with an empty database.',
)

/** @throws otherImportBegun */
export async function findImportState({ reader }: Store, { key, archive }: ImportIdentity): Promise<ImportState | undefined> {
  const found = await reader.transient.find(key, isoDate(new Date()))
  if (found !== undefined && found.archive !== archive) throw otherImportBegun({})
  return found
}

/** A command that goes on with an import. Of several the last one that began has the turn, and the others notice before they write. */
export interface ArchiveImportRun {
  readonly key: TypedName<ImportState>
  /** Of this command, of all that went on with this import. */
  readonly number: number
}

const runKey = (key: string) => `${key}/run`
const moments = () => ({ expires: isoDate(new Date(Date.now() + keptMillis)), now: isoDate(new Date()) })

/**
 * Takes the turn, for an import that was found as far as that. Counting locks: whoever takes it at the same moment waits.
 * @throws importUnderWay where another one has begun, or gone on, since it was looked at
 */
export async function beginRun(
  tx: Transaction,
  key: TypedName<ImportState>,
  found: ImportState | undefined,
  state: ImportState,
): Promise<ArchiveImportRun> {
  const { expires, now } = moments()
  const number = await tx.transient.increase(runKey(key), 1, expires, now)
  const there = await tx.transient.find(key, now)
  if (!isSame(there, found)) throw importUnderWay({})
  await tx.transient.set(key, state, expires)
  return { key, number }
}

/** Writes how far the run has come, in the transaction that brings it there and before anything else. @throws importUnderWay */
export async function advanceRun(
  { transient }: Transaction,
  { key, number }: ArchiveImportRun,
  before: ImportState,
): Promise<(state: ImportState) => Promise<void>> {
  const { expires, now } = moments()
  const last = await transient.increase(runKey(key), 0, expires, now)
  const there = await transient.find(key, now)
  if (last !== number || !isSame(there, before)) throw importUnderWay({})
  return (state) => transient.set(key, state, expires)
}

/** For what is not written with it, and may be written twice. @throws importUnderWay */
export async function requireTurn({ reader }: Store, { key, number }: ArchiveImportRun): Promise<void> {
  if ((await reader.transient.find(runKey(key), isoDate(new Date()))) !== number) throw importUnderWay({})
}

/** All has come. @throws importUnderWay */
export async function endRun(tx: Transaction, run: ArchiveImportRun, state: ImportState): Promise<void> {
  await advanceRun(tx, run, state)
  await tx.transient.remove(run.key)
  await tx.transient.remove(runKey(run.key))
}

function isSame(one: ImportState | undefined, other: ImportState | undefined): boolean {
  return one?.nonce === other?.nonce && one?.documents === other?.documents && one?.audit === other?.audit
}
