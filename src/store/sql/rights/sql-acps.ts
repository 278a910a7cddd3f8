import type { Document } from '../../../model/document.ts'
import type { Ace } from '../../../model/rights/acl.ts'
import type { Acp, AcpReader, AcpWriter, OwnAcls } from '../../acps.ts'
import type { SqlRow } from '../connection.ts'
import { aclsOf, documentOf, listOrNull } from '../documents/document-row.ts'
import type { RowLocks } from '../documents/row-locks.ts'
import type { DocumentTable } from '../documents/sql-documents.ts'
import { acesOfText } from './aces-text.ts'
import { internLists } from './acp-interning.ts'
import * as statements from './acp-statements.ts'
import { planRights } from './rights-plan.ts'

export function createAcpReader({ connection, dialect, repository }: DocumentTable): AcpReader {
  return {
    async find(id) {
      const row = await connection.get(statements.acpById(id))
      return row && acpOf(row)
    },
    async listDeciding(documentIds) {
      const rows = await connection.all(statements.acpIdsOf(dialect, documentIds))
      return new Map(rows.map(([id, acpId]) => [id as string, acpId as number]))
    },
    listAfter: async (id) => (await connection.all(statements.acpsAfter(id))).map(acpOf),
    listOwn: async (path) => (await connection.all(statements.ownAcls(path))).map(ownAclsOf),
    async listNaming(username, limit) {
      const rows = await connection.all(statements.documentsNaming(dialect, username, limit))
      return rows.map(([id]) => id as string)
    },
    async pageNaming(usernames, { offset, limit, countLimit }) {
      const rows = await connection.all(statements.documentsNamingAny(dialect, usernames, limit, offset))
      const [total] = (await connection.get(statements.countNamingAny(dialect, usernames, countLimit + 1))) ?? []
      return { documents: rows.map((row) => documentOf(repository, row)), total: Number(total) }
    },
    async listTurned(after, until) {
      const rows = await connection.all(statements.turnedBetween(dialect, after, until))
      return rows.map((row) => documentOf(repository, row))
    },
  }
}

export function createAcpWriter(table: DocumentTable, locks: Pick<RowLocks, 'subtree'>): AcpWriter {
  const { connection, dialect } = table
  const reader = createAcpReader(table)
  const intern = async (aces: readonly Ace[]) => (await internLists(connection, dialect, [aces])).get(aces) as number
  return {
    ...reader,
    intern,
    async replaceAcls({ id, path }: Document, acls) {
      // Rows first, then the lock on interning: a transaction that waits for rows with that lock would stop all other
      // transactions.
      if (path !== null) await locks.subtree(path)
      const row = await connection.get(statements.rightsOf(id))
      if (row === undefined) return
      const [acpId, parentId] = row as [number, string | null]
      const plan = await planRights(connection, dialect, { path, acpId, acls }, parentId)
      for (const each of plan.replacements) await connection.run(statements.replaceAcps(dialect, each.path, each.pairs))
      await connection.run(statements.updateRights(id, listOrNull(acls), plan.acpId))
      await connection.run(statements.versionsFollow(id, plan.acpId))
      if (path !== null && plan.replacements.length > 0) await connection.run(statements.versionsFollowBelow(path))
    },
    async clearVersions(seriesIds) {
      await connection.run(statements.clearVersions(dialect, seriesIds, await intern([])))
    },
  }
}

function acpOf([id, aces]: SqlRow): Acp {
  return { id: id as number, aces: acesOfText(aces as string) }
}

function ownAclsOf([id, acls]: SqlRow): OwnAcls {
  return { documentId: id as string, acls: aclsOf(acls as string) }
}
