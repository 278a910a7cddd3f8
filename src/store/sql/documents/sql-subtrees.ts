import type { DocumentId } from '../../../model/document.ts'
import { joinPath, maxPathBytes } from '../../../model/path-segment.ts'
import type { DocumentWriter, Place, RemovedSubtree } from '../../documents.ts'
import { pathTooLong } from '../../problems.ts'
import type { SqlConnection, SqlRow } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import type { AcpReplacement } from '../rights/acl-inheritance.ts'
import { ownRightsOf, replaceAcps, versionsFollow, versionsFollowBelow } from '../rights/acp-statements.ts'
import { type Heir, planRights } from '../rights/rights-plan.ts'
import { StaleRead } from '../stale-read.ts'
import type { DocumentIndex } from './document-index.ts'
import { aclsOf } from './document-row.ts'
import { deleteDocument } from './document-statements.ts'
import { moveDocument, otherChildNamed } from './place-statements.ts'
import type { RowLocks } from './row-locks.ts'
import * as statements from './subtree-statements.ts'

type SubtreeWriter = Pick<DocumentWriter, 'move' | 'setTrashedBelow' | 'lockSubtree' | 'removeSubtree'>

/** What happens to a document and everything below it. */
export function createSubtreeWriter(
  connection: SqlConnection,
  dialect: Dialect,
  index: DocumentIndex,
  locks: RowLocks,
): SubtreeWriter {
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
      return (await connection.all(statements.setTrashedBelow(path, isTrashed))).map(([id]) => id as string)
    },
    lockSubtree: locks.subtree,
    async removeSubtree({ id, path, isProxy, isVersion, seriesId }) {
      if (path === null) {
        await index.remove((await connection.all(deleteDocument(id))).map(([seq]) => seq as number))
        return removedSubtree([[id, Number(isProxy), Number(isVersion), seriesId]])
      }
      await locks.subtree(path)
      const rows = await connection.all(statements.deleteSubtree(path))
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
const mostPairsOnTheWay = 200

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
    await connection.run(statements.moveBelow(from, to))
    return
  }
  if (others.length === 0 && first.path === from && first.pairs.length <= mostPairsOnTheWay) {
    await connection.run(statements.moveBelowWithRights(dialect, from, to, first.pairs))
  } else {
    for (const { path, pairs } of replacements) await connection.run(replaceAcps(dialect, path, pairs))
    await connection.run(statements.moveBelow(from, to))
  }
  await connection.run(versionsFollowBelow(to))
}

/** Keeps the new parent where it is. Whoever computed the new path from where the parent was before has to do so again. */
async function lockDestination(locks: RowLocks, { parentId, name, path }: Place): Promise<void> {
  const row = await locks.place(parentId)
  const parentPath = (row?.[0] ?? '') as string
  if (row === undefined || joinPath(parentPath, name) !== path) throw new StaleRead(`${path} is no place any more`)
}

/** @throws pathTooLong when something below would get a path that is longer than any may be. */
async function requirePathsFit(connection: SqlConnection, from: string, to: string): Promise<void> {
  if (Buffer.byteLength(to) <= Buffer.byteLength(from)) return
  const longest = (await connection.get(statements.longestPathBelow(from)))?.[0] as string | undefined
  if (longest === undefined) return
  const moved = to + longest.slice(from.length)
  if (Buffer.byteLength(moved) > maxPathBytes) throw pathTooLong({ path: longest, to })
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
