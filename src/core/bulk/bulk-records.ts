import { typedName } from '../../base/typed-name.ts'
import type { DocumentId } from '../../model/document.ts'
import type { TransientReader, TransientWriter } from '../../store/transient.ts'
import { type BulkCommand, type BulkProgress, isOver, unlessTold } from './bulk-command.ts'

// Longer than any command runs, and then long enough for a client to ask how it ended.
const daysWhileRunning = 30
const daysWhenOver = 1
const idsInRecord = 1_000

const commandKey = (id: string) => typedName<BulkCommand>(`bulk/${id}`)
const progressKey = (id: string) => typedName<BulkProgress>(`bulk/${id}/progress`)
const lockKey = (id: string) => `bulk/${id}/turn`
const idsKey = (id: string, index: number) => typedName<readonly DocumentId[]>(`bulk/${id}/ids/${index}`)

export async function findCommand(transient: TransientReader, id: string, now: string): Promise<BulkCommand | undefined> {
  const stored = await transient.find(commandKey(id), now)
  return stored && { ...unlessTold, ...stored }
}

export function findProgress(transient: TransientReader, id: string, now: string): Promise<BulkProgress | undefined> {
  return transient.find(progressKey(id), now)
}

export async function addCommand(transient: TransientWriter, command: BulkCommand, progress: BulkProgress): Promise<void> {
  const expires = daysAfter(command.submitted, daysWhileRunning)
  await transient.set(commandKey(command.id), command, expires)
  await transient.set(progressKey(command.id), progress, expires)
}

/** The progress of the command, with its record locked: other workers of the same command wait. */
export async function findProgressForUpdate(
  transient: TransientWriter,
  id: string,
  now: string,
): Promise<BulkProgress | undefined> {
  await transient.set(lockKey(id), null, daysAfter(now, daysWhenOver))
  return findProgress(transient, id, now)
}

/** Of a command that is over only the result is stored, and not for long. */
export async function storeProgress(
  transient: TransientWriter,
  command: BulkCommand,
  progress: BulkProgress,
  now: string,
): Promise<void> {
  const expires = daysAfter(now, isOver(progress) ? daysWhenOver : daysWhileRunning)
  await transient.set(progressKey(command.id), progress, expires)
  if (!isOver(progress)) return
  await transient.set(commandKey(command.id), command, expires)
  for (let index = 0; index * idsInRecord < progress.total; index++) await transient.remove(idsKey(command.id, index))
}

/** Adds ids behind those that are there. */
export async function storeIds(
  transient: TransientWriter,
  id: string,
  stored: number,
  ids: readonly DocumentId[],
  now: string,
): Promise<void> {
  const expires = daysAfter(now, daysWhileRunning)
  const last = Math.floor(stored / idsInRecord)
  const all = [...(await readIds(transient, id, last * idsInRecord, stored, now)), ...ids]
  for (let start = 0; start < all.length; start += idsInRecord) {
    await transient.set(idsKey(id, last + start / idsInRecord), all.slice(start, start + idsInRecord), expires)
  }
}

/** The ids from one position up to another. */
export async function readIds(
  transient: TransientReader,
  id: string,
  from: number,
  to: number,
  now: string,
): Promise<readonly DocumentId[]> {
  const ids: DocumentId[] = []
  for (let index = Math.floor(from / idsInRecord); index * idsInRecord < to; index++) {
    ids.push(...((await transient.find(idsKey(id, index), now)) ?? []))
  }
  const skipped = Math.floor(from / idsInRecord) * idsInRecord
  return ids.slice(from - skipped, to - skipped)
}

function daysAfter(now: string, days: number): string {
  return new Date(Date.parse(now) + days * 86_400_000).toISOString()
}
