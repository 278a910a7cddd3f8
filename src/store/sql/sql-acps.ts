import { type Ace, effectiveAces } from '../../model/acl.ts'
import type { Document } from '../../model/document.ts'
import type { Acp, AcpReader, AcpWriter } from '../acps.ts'
import { acesOfText } from './aces-text.ts'
import { planRegions, planReplacements } from './acl-inheritance.ts'
import { internLists } from './acp-interning.ts'
import * as statements from './acp-statements.ts'
import type { Row, SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { aclsOf, listOrNull } from './document-row.ts'
import { lockSubtree } from './subtree-lock.ts'

export function createAcpReader(connection: SqlConnection): AcpReader {
  return {
    async find(id) {
      const row = await connection.get(statements.acpById(id))
      return row && acpOf(row)
    },
    listAfter: async (id) => (await connection.all(statements.acpsAfter(id))).map(acpOf),
  }
}

export function createAcpWriter(connection: SqlConnection, dialect: Dialect): AcpWriter {
  const reader = createAcpReader(connection)
  const readAces = async (acpId: number) => {
    const acp = await reader.find(acpId)
    if (acp === undefined) throw new Error(`A document refers to the list of entries ${acpId}, which does not exist`)
    return acp.aces
  }
  const inheritedBy = async (parentId: string | null): Promise<readonly Ace[]> => {
    const parent = parentId === null ? undefined : await connection.get(statements.rightsOf(parentId))
    return parent === undefined ? [] : readAces(parent[0] as number)
  }

  const intern = async (aces: readonly Ace[]) => (await internLists(connection, dialect, [aces])).get(aces) as number
  const replaceBelow = async (path: string, acpId: number, aces: readonly Ace[]) => {
    const own = (await connection.all(statements.rightsBelow(path))).map(ownRightsOf)
    const regions = planRegions({ path, acpId, aces }, own)
    const ids = await internLists(
      connection,
      dialect,
      regions.map((region) => region.aces),
    )
    const replacements = planReplacements(regions, (list) => ids.get(list) as number)
    for (const { path, pairs } of replacements) await connection.run(statements.replaceAcps(dialect, path, pairs))
    if (replacements.length > 0) await connection.run(statements.versionsFollowBelow(path))
  }

  return {
    ...reader,
    intern,
    async replaceAcls({ id, path }: Document, acls) {
      // Rows first, then the lock on interning: whoever waits for rows while holding that lock would stop everybody.
      if (path !== null) await lockSubtree(connection, dialect, path)
      const row = await connection.get(statements.rightsOf(id))
      if (row === undefined) return
      const aces = effectiveAces(acls, await inheritedBy(row[1] as string | null))
      const acpId = await intern(aces)
      if (path !== null) await replaceBelow(path, row[0] as number, aces)
      await connection.run(statements.updateRights(id, listOrNull(acls), acpId))
      await connection.run(statements.versionsFollow(id, acpId))
    },
    async clearVersions(seriesIds) {
      await connection.run(statements.clearVersions(dialect, seriesIds, await intern([])))
    },
  }
}

function acpOf([id, aces]: Row): Acp {
  return { id: id as number, aces: acesOfText(aces as string) }
}

function ownRightsOf([path, acls, acpId]: Row) {
  return { path: path as string, acls: aclsOf(acls as string), acpId: acpId as number }
}
