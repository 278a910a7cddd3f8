import sql, { type Sql } from 'sql-template-tag'
import { defineProblem } from '../../base/problem.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
import { isOwn, type Principal } from '../../model/rights/principal.ts'
import { atOrBelow, below } from '../../store/sql/documents/path-range.ts'
import type { TableRow } from '../../store/tables.ts'
import { areWritersDone } from '../outbox/index.ts'
import { listOf } from './root-rows.ts'

/** Something that happened to a document and that concerns a root. What it comes to is up to what the document is when somebody asks. */
export interface ChangeRow {
  readonly event: string
  /** In milliseconds. */
  readonly date: number
  readonly documentId: DocumentId
  /** The list of entries that decided before, where those of now may be others, or nothing at all. */
  readonly wasAcpId: number | undefined
  /** It concerns one user alone. */
  readonly isPersonal: boolean
}

export type NewChange = Omit<ChangeRow, 'isPersonal'>

/** What happens to a root of one user alone. */
export const registered = 'rootRegistered'
export const unregistered = 'rootUnregistered'
export const rootGone = 'rootGone'
/** The rights on a document are others, or may be: what is below it may have come or gone. */
export const securityUpdated = 'securityUpdated'

const changesTable = 'desktop_sync_changes'
const intoChanges = sql`INSERT INTO desktop_sync_changes (root_id, user_name, event, event_date, doc_id, was_acp_id)`
const nobody = sql`CAST(NULL AS TEXT)`
const idsAtOnce = 500

/** A row for each root among the candidates. */
export async function writeChange(session: WriteSession, change: NewChange, candidates: Iterable<DocumentId>): Promise<void> {
  const ids = [...candidates]
  for (let start = 0; start < ids.length; start += idsAtOnce)
    await writeFor(session, change, sql`root_id IN (${listOf(ids.slice(start, start + idsAtOnce))})`)
}

async function writeFor({ tx }: WriteSession, { event, date, documentId, wasAcpId }: NewChange, where: Sql): Promise<void> {
  await tx.tables.send(sql`
    ${intoChanges}
    SELECT DISTINCT root_id, ${nobody}, CAST(${event} AS TEXT), CAST(${date} AS BIGINT), CAST(${documentId} AS TEXT),
           CAST(${wasAcpId ?? null} AS BIGINT)
      FROM desktop_sync_roots WHERE ${where}`)
}

/** Roots below a place may have come into sight with it, or gone. */
export async function writeRootsBelow({ tx }: WriteSession, path: string, date: number): Promise<void> {
  await tx.tables.send(sql`
    ${intoChanges}
    SELECT DISTINCT root_id, ${nobody}, CAST(${securityUpdated} AS TEXT), CAST(${date} AS BIGINT), root_id, CAST(NULL AS BIGINT)
      FROM desktop_sync_roots WHERE ${below(path)}`)
}

/** What was there is removed for good: everybody who had a root there is told, and has it no more. */
export async function writeRootsGone({ tx }: WriteSession, path: string, date: number): Promise<void> {
  const there = atOrBelow(path)
  await tx.tables.send(sql`
    ${intoChanges}
    SELECT root_id, user_name, CAST(${rootGone} AS TEXT), CAST(${date} AS BIGINT), root_id, CAST(NULL AS BIGINT)
      FROM desktop_sync_roots WHERE ${there}`)
  await tx.tables.send(sql`DELETE FROM desktop_sync_roots WHERE ${there}`)
}

/** Rows of roots keep up with where their documents are. */
export async function moveRoots({ tx }: WriteSession, from: string, to: string): Promise<void> {
  await tx.tables.send(sql`
    UPDATE desktop_sync_roots SET path = CAST(${to} AS TEXT) || substr(path, CAST(${[...from].length + 1} AS INTEGER))
     WHERE ${atOrBelow(from)}`)
}

/** A change that concerns the session's principal alone. */
export async function writeOwnChange({ tx, principal, now }: WriteSession, event: string, root: DocumentId): Promise<void> {
  await tx.tables.run(sql`
    ${intoChanges} VALUES (${root}, ${principal.name}, ${event}, ${Date.parse(now)}, ${root}, ${null})`)
}

const changesBusy = defineProblem(
  'changesBusy',
  'unavailable',
  (_: object) => 'A transaction that writes changes does not end. Try again in a moment.',
)

/** What is known of the changes of a repository at one moment. */
export interface ChangeBounds {
  /** Whatever is committed from now on lies behind it. */
  readonly newest: number
  /** Up to there no change is left. */
  readonly removedUpTo: number
}

const settlingAttempts = 10

/**
 * PostgreSQL gives numbers before it commits: a bound holds once all have ended that were writing when it was read. Where nothing is newer
 * than what the client was told as such a bound, nobody is waited for.
 * @throws changesBusy
 */
export async function settledBounds(repository: Repository, told: number | undefined): Promise<ChangeBounds> {
  const { tables } = repository.store.reader
  const newest = Number((await tables.get(sql`SELECT max(id) FROM desktop_sync_changes`))?.[0] ?? 0)
  if (newest === told) return { newest, removedUpTo: 0 }
  for (let attempt = 0; attempt < settlingAttempts; attempt += 1) {
    if (!(await areWritersDone(repository)) || !(await areWritersDone(repository, changesTable))) continue
    return { newest, removedUpTo: Number((await tables.get(sql`SELECT up_to FROM desktop_sync_removed`))?.[0] ?? 0) }
  }
  throw changesBusy({})
}

export interface ChangeRange {
  readonly after: number
  readonly upTo: number
  readonly limit: number
}

const rootsAtOnce = 100

/** The changes of these roots and those of the user alone, in their order: a range of an index for each root. */
export async function listChanges(
  { store }: Repository,
  principal: Principal,
  rootIds: readonly DocumentId[],
  { after, upTo, limit }: ChangeRange,
): Promise<readonly ChangeRow[]> {
  const { tables } = store.reader
  const range = sql`id > ${after} AND id <= ${upTo} ORDER BY id LIMIT ${limit}`
  const columns = sql`id, event, event_date, doc_id, was_acp_id`
  const own = await tables.all(sql`
    SELECT ${columns}, 1 FROM desktop_sync_changes WHERE user_name = ${principal.name} AND ${range}`)
  const shared: TableRow[] = []
  for (let start = 0; start < rootIds.length; start += rootsAtOnce) {
    const rows = await tables.all(sql`
      SELECT ${columns}, 0 FROM desktop_sync_changes
       WHERE user_name IS NULL AND root_id IN (${listOf(rootIds.slice(start, start + rootsAtOnce))}) AND ${range}`)
    shared.push(...rows)
  }
  const ofPrincipal = own.filter(([, , date]) => isOwn(principal, principal.name, new Date(Number(date)).toISOString()))
  return [...ofPrincipal, ...shared].sort(([one], [other]) => Number(one) - Number(other)).map(changeOf)
}

function changeOf([, event, date, documentId, wasAcpId, isPersonal]: TableRow): ChangeRow {
  return {
    event: String(event),
    date: Number(date),
    documentId: String(documentId),
    wasAcpId: wasAcpId == null ? undefined : Number(wasAcpId),
    isPersonal: Number(isPersonal) === 1,
  }
}

const removedAtOnce = 1_000

/** Removes some of the changes from before a moment; whether there may be more. */
export async function removeOldChanges({ tx: { tables } }: WriteSession, before: number): Promise<boolean> {
  const newest = Number((await tables.get(sql`SELECT max(id) FROM desktop_sync_changes`))?.[0] ?? 0)
  // The database gives the number of the last row again when that is gone, so it stays until there is a later one.
  const oldest = await tables.all(sql`
    SELECT id, event_date FROM desktop_sync_changes WHERE id < ${newest} ORDER BY id LIMIT ${removedAtOnce}`)
  const firstKept = oldest.findIndex(([, date]) => Number(date) >= before)
  const removable = firstKept === -1 ? oldest : oldest.slice(0, firstKept)
  const last = Number(removable.at(-1)?.[0] ?? 0)
  if (last === 0) return false
  await tables.run(sql`DELETE FROM desktop_sync_changes WHERE id <= ${last}`)
  await tables.run(sql`UPDATE desktop_sync_removed SET up_to = ${last}`)
  return removable.length === removedAtOnce
}
