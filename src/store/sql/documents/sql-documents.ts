import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { Document, DocumentId } from '../../../model/document.ts'
import { joinPath, maxPathBytes } from '../../../model/path-segment.ts'
import { listName } from '../../../nxql/document-indexing.ts'
import type { DocumentReader, DocumentWriter, Place, RemovedSubtree } from '../../documents.ts'
import { pathTooLong } from '../../problems.ts'
import { mayBeStored } from '../../storable-text.ts'
import type { SqlConnection, SqlRow, SqlStatement } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import type { AcpReplacement } from '../rights/acl-inheritance.ts'
import { ownRightsOf, replaceAcps, versionsFollow, versionsFollowBelow } from '../rights/acp-statements.ts'
import { type Heir, planRights } from '../rights/rights-plan.ts'
import { StaleRead } from '../stale-read.ts'
import { childrenCount, childrenPage, childrenSummary } from './children-statements.ts'
import type { DocumentIndex, Numbered } from './document-index.ts'
import { aclsOf, documentColumns, documentOf } from './document-row.ts'
import * as statements from './document-statements.ts'
import { deleteDocument } from './document-statements.ts'
import { documentsOfRows } from './list-documents.ts'
import { childIds, lastPosition, moveDocument, otherChildNamed, setPositions } from './place-statements.ts'
import type { RowLocks } from './row-locks.ts'
import * as subtrees from './subtree-statements.ts'

type SubtreeWriter = Pick<DocumentWriter, 'move' | 'setTrashedBelow' | 'lockSubtree' | 'removeSubtree'>

/** What happens to a document and everything below it. */
function createSubtreeWriter(connection: SqlConnection, dialect: Dialect, index: DocumentIndex, locks: RowLocks): SubtreeWriter {
  return {
    async move({ id, path }, to) {
      await lockDestination(locks, to)
      if ((await connection.get(otherChildNamed(id, to.parentId, to.name))) !== undefined) return false
      if (path !== null) await locks.subtree(path)
      if (path !== null) await requirePathsFit(connection, path, to.path)
      const { acpId, replacements } = await planRights(connection, dialect, await readHeir(connection, id, path), to.parentId)
      await connection.run(moveDocument(id, to, acpId))
      await connection.run(versionsFollow(id, acpId))
      if (path !== null) await moveAllBelow(connection, dialect, path, to.path, replacements)
      return true
    },
    async setTrashedBelow(path, isTrashed) {
      await locks.subtree(path)
      return (await connection.all(subtrees.setTrashedBelow(path, isTrashed))).map(([id]) => id as string)
    },
    lockSubtree: locks.subtree,
    async removeSubtree({ id, path, isProxy, isVersion, seriesId }) {
      if (path === null) {
        await index.remove((await connection.all(deleteDocument(id))).map(([seq]) => seq as number))
        return removedSubtree([[id, Number(isProxy), Number(isVersion), seriesId]])
      }
      await locks.subtree(path)
      const rows = await connection.all(subtrees.deleteSubtree(path))
      await index.remove(rows.map((row) => row[4] as number))
      return removedSubtree(rows)
    },
  }
}

async function readHeir(connection: SqlConnection, id: DocumentId, path: string | null): Promise<Heir> {
  const row = await connection.get(ownRightsOf(id))
  if (row === undefined) throw new StaleRead(`${id} is gone`)
  const [acpId, acls] = row
  return { path, acpId: acpId as number, acls: acls === null ? [] : aclsOf(acls as string) }
}

// SQLite looks through all members of a JSON object: 7 µs a row for 200, and writing a row takes as long.
const maxPairsInStatement = 200

/** Rights change on the way where few lists replace few, else before it. */
async function moveAllBelow(
  connection: SqlConnection,
  dialect: Dialect,
  from: string,
  to: string,
  replacements: readonly AcpReplacement[],
): Promise<void> {
  const [first, ...others] = replacements
  if (first === undefined) {
    await connection.run(subtrees.moveBelow(from, to))
    return
  }
  if (others.length === 0 && first.path === from && first.pairs.length <= maxPairsInStatement) {
    await connection.run(subtrees.moveBelowWithRights(dialect, from, to, first.pairs))
  } else {
    for (const { path, pairs } of replacements) await connection.run(replaceAcps(dialect, path, pairs))
    await connection.run(subtrees.moveBelow(from, to))
  }
  await connection.run(versionsFollowBelow(to))
}

/** Locks the new parent in its place. A transaction that computed the path from an earlier place of the parent runs again. */
async function lockDestination(locks: RowLocks, { parentId, name, path }: Place): Promise<void> {
  const row = await locks.place(parentId)
  const parentPath = (row?.[0] ?? '') as string
  if (row === undefined || joinPath(parentPath, name) !== path) throw new StaleRead(`${path} is no place any more`)
}

/** @throws pathTooLong when something below would get a path that is longer than any may be. */
async function requirePathsFit(connection: SqlConnection, from: string, to: string): Promise<void> {
  if (Buffer.byteLength(to) <= Buffer.byteLength(from)) return
  const longest = (await connection.get(subtrees.longestPathBelow(from)))?.[0] as string | undefined
  if (longest === undefined) return
  const moved = to + longest.slice(from.length)
  if (Buffer.byteLength(moved) > maxPathBytes) throw pathTooLong({ path: from, to })
}

function removedSubtree(rows: readonly SqlRow[]): RemovedSubtree {
  const liveIds: DocumentId[] = []
  const proxiedSeriesIds = new Set<DocumentId>()
  for (const [id, isProxy, isVersion, seriesId] of rows) {
    if (isProxy === 0 && isVersion === 0) liveIds.push(id as string)
    if (isProxy === 1 && seriesId !== null) proxiedSeriesIds.add(seriesId as string)
  }
  return { liveIds, proxiedSeriesIds: [...proxiedSeriesIds] }
}

/** Served by documents_by_retention, from where the page before ended. */
export const retentionsEnded = (now: string, [retainUntil, id]: readonly [retainUntil: string, id: string], limit: number) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE retain_until <= ${now} AND (retain_until, id) > (${retainUntil}, ${id})
   ORDER BY retain_until, id LIMIT ${limit}`

export interface DocumentTable {
  readonly connection: SqlConnection
  readonly dialect: Dialect
  readonly repository: string
}

export function createDocumentReader(table: DocumentTable): DocumentReader {
  const { connection, dialect, repository } = table
  const find = async (statement: SqlStatement) => {
    const row = await connection.get(statement)
    return row === undefined ? undefined : documentOf(repository, row)
  }
  const list = async (statement: SqlStatement) => (await connection.all(statement)).map((row) => documentOf(repository, row))
  const listWithin = async (statement: SqlStatement, maxBytes?: number) =>
    documentsOfRows(table, await connection.all(statement), maxBytes)
  const listIds = async (statement: SqlStatement) =>
    (await connection.all(statement)).map(([id, seq]) => ({ id: id as string, seq: Number(seq) }))
  return {
    listIdsAfter: (after, limit) => listIds(statements.idsAfter(after, limit)),
    listNumbers: async (ids) => (ids.length === 0 ? [] : listIds(statements.numbersOf(dialect, ids.filter(mayBeStored)))),
    listIdsOfSeries: async (seriesIds, after, limit) =>
      seriesIds.length === 0 ? [] : listIds(statements.idsOfSeries(dialect, seriesIds.filter(mayBeStored), after, limit)),
    async tally(after, limit) {
      const rows = await connection.all(statements.documentTally(after, limit))
      return rows.map(([type, creator, month, count, seq]) => ({
        type: type as string,
        creator: creator as string | null,
        month: month as string | null,
        count: Number(count),
        seq: Number(seq),
      }))
    },
    find: async (id) => (mayBeStored(id) ? find(statements.documentById(id)) : undefined),
    findByPath: async (path) => (mayBeStored(path) ? find(statements.documentByPath(path)) : undefined),
    findChild: async (parentId, name) => (mayBeStored(name) ? find(statements.documentByName(parentId, name)) : undefined),
    async listTakenNames(parentId, names) {
      const rows = await connection.all(statements.childrenNamed(dialect, parentId, names.filter(mayBeStored)))
      return rows.map(([name]) => name as string)
    },
    hasChild: async (parentId, name) =>
      mayBeStored(name) && (await connection.get(statements.childNamed(parentId, name))) !== undefined,
    findAll: async (ids, maxBytes) =>
      ids.length === 0 ? [] : inOrderOf(ids, await listWithin(statements.listedById(dialect, ids.filter(mayBeStored)), maxBytes)),
    findAllByPath: (paths) => list(statements.documentsByPath(dialect, paths.filter(mayBeStored))),
    listChildren: (filter, sort, limit, offset, maxBytes) =>
      listWithin(childrenPage(dialect, filter, sort, limit, offset), maxBytes),
    countChildren: async (filter, limit) => numberIn(await connection.get(childrenCount(dialect, filter, limit))),
    async summariseChildren(parentIds, property, readableAcps) {
      const rows = await connection.all(childrenSummary(dialect, parentIds.filter(mayBeStored), property, readableAcps))
      return new Map(
        rows.map(([id, count, greatest]) => [id as string, { count: Number(count), greatest: greatest as string | null }]),
      )
    },
    countProxies: async (seriesId, readableAcps) =>
      numberIn(await connection.get(statements.proxyCount(dialect, seriesId, readableAcps))),
    findRetained: (path, now) => find(subtrees.retainedBelow(path, now)),
    listRetentionsEnded: (now, after, limit) => list(retentionsEnded(now, [after?.retainUntil ?? '', after?.id ?? ''], limit)),
    async findProxyInto(path) {
      const row = await connection.get(subtrees.proxyInto(path))
      return row === undefined ? undefined : { proxyId: row[0] as string, targetId: row[1] as string }
    },
    listVersions: (seriesId, { limit = Number.MAX_SAFE_INTEGER, offset, maxBytes } = { offset: 0 }) =>
      listWithin(statements.versionsOf(dialect, seriesId, limit, offset), maxBytes),
    findLatestVersion: (seriesId) => find(statements.latestVersionOf(seriesId)),
    async lastPosition(parentId) {
      const row = await connection.get(lastPosition(parentId))
      return (row?.[0] as number | null | undefined) ?? undefined
    },
    listChildIds: async (parentId) => (await connection.all(childIds(parentId))).map(([id]) => id as string),
    listBelow: (path, after, limit) => list(subtrees.documentsBelow(path, after ?? path, limit)),
    listRenamedByTrash: (path) => list(subtrees.renamedByTrash(path)),
    listProxiesBelow: (path) => list(subtrees.proxiesBelow(path)),
    listNaming: (property, target) => list(subtrees.documentsNaming(listName(property), target)),
    listProxyIds: async (targetId) => (await connection.all(statements.proxyIds(targetId))).map(([id]) => id as string),
    listProxies: (seriesId, parentId) =>
      list(parentId === undefined ? statements.proxiesOf(seriesId) : statements.proxiesIn(parentId, seriesId)),
  }
}

// Few enough for every engine's limit of values in a statement; one length of text, so that the prepared statement is reused.
const rowsInOneInsert = 100

export function createDocumentWriter(table: DocumentTable, index: DocumentIndex, locks: RowLocks): DocumentWriter {
  const { connection, dialect, repository } = table
  const findLocked = async (id: DocumentId, lock: Sql) => {
    if (!mayBeStored(id)) return undefined
    const rows = await locks.document(id, lock)
    const row = rows.find(([found]) => found === id)
    return row === undefined ? undefined : documentOf(repository, row)
  }
  const reader = createDocumentReader(table)
  const insertAll = async (documents: readonly Document[]): Promise<readonly Numbered[]> => {
    const rows = await connection.all(statements.insertDocuments(documents))
    const numbers = new Map(rows.map(([id, seq]) => [id, seq as number]))
    return documents.map((document) => ({ document, seq: numbers.get(document.id) as number }))
  }
  const remove = async (statement: SqlStatement): Promise<void> => {
    const rows = await connection.all(statement)
    await index.remove(rows.map(([seq]) => seq as number))
  }
  const writer: Omit<DocumentWriter, keyof DocumentReader | keyof SubtreeWriter> = {
    findForUpdate: (id) => findLocked(id, dialect.forUpdate),
    findForShare: (document) =>
      dialect.writesOneAtATime ? Promise.resolve(document) : findLocked(document.id, dialect.forShare),
    async insert(document) {
      const row = await connection.get(statements.insertDocument(document))
      if (row === undefined) return false
      await index.add([{ document, seq: row[0] as number }])
      return true
    },
    async update(before, after) {
      const { id, isProxy } = after
      // Both at once, to wait for one answer only. Where others write meanwhile, the proxies are looked for once the row is written, and
      // so locked: none can come after. Where nobody does, the row says whether there is any.
      const [row, found] = await Promise.all([
        connection.get(statements.updateDocument(before, after)),
        isProxy || dialect.writesOneAtATime ? [] : reader.listProxyIds(id),
      ])
      if (row === undefined) return undefined
      await index.change(row[0] as number, before, after)
      return dialect.writesOneAtATime && row[1] === 1 ? reader.listProxyIds(id) : found
    },
    async setPositions(ids) {
      await connection.run(setPositions(dialect, ids))
    },
    remove: (id) => remove(statements.deleteDocument(id)),
    lockOrphanVersions: (seriesIds, lists = [], limit = Number.MAX_SAFE_INTEGER) =>
      locks.orphanVersions(
        seriesIds,
        lists.map((name) => listName(name)),
        limit,
      ),
    removeVersions: (ids) => remove(statements.deleteVersions(dialect, ids)),
    async refreshLatestFlags(seriesId) {
      const rows = await connection.all(statements.refreshLatestFlags(seriesId))
      return rows.map(([id]) => id as string)
    },
    async insertMany(documents) {
      const whole = documents.length - (documents.length % rowsInOneInsert)
      for (let start = 0; start < whole; start += rowsInOneInsert) {
        await index.add(await insertAll(documents.slice(start, start + rowsInOneInsert)))
      }
      const rest: Numbered[] = []
      for (const document of documents.slice(whole)) {
        const row = await connection.get(statements.insertNamed(document))
        rest.push({ document, seq: row?.[0] as number })
      }
      await index.add(rest)
    },
  }
  // Members that stand behind what is spread into a literal are defined one by one: 15 µs for each transaction.
  return { ...reader, ...createSubtreeWriter(connection, dialect, index, locks), ...writer }
}

function inOrderOf(ids: readonly DocumentId[], documents: readonly Document[]): readonly Document[] {
  const byId = new Map(documents.map((document) => [document.id, document]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function numberIn(row: SqlRow | undefined): number {
  return row?.[0] as number
}
