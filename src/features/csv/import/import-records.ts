import { typedName } from '../../../base/typed-name.ts'
import type { Session } from '../../../core/session.ts'
import type { BlobValue } from '../../../model/properties/property.ts'
import { isOwn } from '../../../model/rights/principal.ts'
import type { Reader, Transaction } from '../../../store/store.ts'
import type { TransientWriter } from '../../../store/transient.ts'
import type { LineOutcome } from './row-refusal.ts'

/** What a user asked to be imported, and how far that has come. */
export type CsvImport = {
  readonly id: string
  readonly username: string
  readonly submitted: string
  readonly path: string
  readonly isImport: boolean
  /** The user is mailed what came of it. */
  readonly sendsReport: boolean
  readonly file: BlobValue
  readonly state: 'SCHEDULED' | 'RUNNING' | 'COMPLETED'
  /** Lines behind the header; -1 until they are counted. */
  readonly total: number
  readonly processed: number
  readonly counts: { readonly SUCCESS: number; readonly SKIPPED: number; readonly ERROR: number }
  /** Pages of the log. */
  readonly pages: number
  readonly logged: { readonly SUCCESS: number; readonly other: number }
}

export type LoggedLine = LineOutcome & { readonly line: number }

// Longer than any import runs, and then long enough for a person to look at what came of it.
const storedDays = 7
// More are counted and not told one by one: a client asks for all lines at once.
const maxLogged = 10_000

const statusPrefix = typedName<CsvImport>('csvImport/status/')
const statusKey = (id: string) => typedName<CsvImport>(statusPrefix + id)
const logKey = (id: string, page: number) =>
  typedName<readonly LoggedLine[]>(`csvImport/log/${id}/${String(page).padStart(8, '0')}`)

export function findImport(reader: Reader, id: string, now: string): Promise<CsvImport | undefined> {
  return reader.transient.find(statusKey(id), now)
}

/** The import with its record locked: another worker that took it up waits. */
export async function findImportForUpdate(tx: Transaction, id: string, now: string): Promise<CsvImport | undefined> {
  await tx.transient.set(`csvImport/lock/${id}`, null, expiryAfter(now))
  return findImport(tx, id, now)
}

/** One that the caller started, or anyone's for administrators. */
export async function findOwnImport({ reader, principal, now }: Session, id: string): Promise<CsvImport | undefined> {
  const found = await findImport(reader, id, now)
  return found && (principal.isAdministrator || isOwn(principal, found.username, found.submitted)) ? found : undefined
}

export function storeImport(transient: TransientWriter, record: CsvImport, now: string): Promise<void> {
  return transient.set(statusKey(record.id), record, expiryAfter(now))
}

/** The import with some lines more, of which as many are logged as the log takes. */
export async function storeLines(
  transient: TransientWriter,
  record: CsvImport,
  lines: readonly LoggedLine[],
  now: string,
): Promise<CsvImport> {
  const counts = { ...record.counts }
  const logged = { ...record.logged }
  const kept: LoggedLine[] = []
  for (const line of lines) {
    counts[line.status]++
    const place = line.status === 'SUCCESS' ? 'SUCCESS' : 'other'
    if (logged[place]++ < maxLogged) kept.push(line)
  }
  if (kept.length > 0) await transient.set(logKey(record.id, record.pages), kept, expiryAfter(now))
  const pages = record.pages + (kept.length > 0 ? 1 : 0)
  return { ...record, counts, logged, pages, processed: record.processed + lines.length }
}

export async function listLines({ reader, now }: Session, { id, pages }: CsvImport): Promise<readonly LoggedLine[]> {
  const lines: LoggedLine[] = []
  for (let page = 0; page < pages; page++) {
    lines.push(...((await reader.transient.find(logKey(id, page), now)) ?? []))
  }
  return lines
}

/** Those that wait, the one that comes next first. */
export async function listScheduled({ reader, now }: Session): Promise<readonly CsvImport[]> {
  const all = (await reader.transient.list(statusPrefix, now)).map(({ value }) => value)
  return all.filter(({ state }) => state === 'SCHEDULED').toSorted((left, right) => (left.submitted < right.submitted ? -1 : 1))
}

function expiryAfter(now: string): string {
  return new Date(Date.parse(now) + storedDays * 86_400_000).toISOString()
}
