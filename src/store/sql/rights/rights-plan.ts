import { type Ace, type Acl, effectiveAces } from '../../../model/rights/acl.ts'
import type { SqlConnection, SqlRow } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { aclsOf } from '../documents/document-row.ts'
import { acesOfText } from './aces-text.ts'
import { type AcpReplacement, type OwnRights, planRegions, planReplacements } from './acl-inheritance.ts'
import { internLists } from './acp-interning.ts'
import { acpById, rightsBelow, rightsOf } from './acp-statements.ts'

/** What becomes of the effective lists of a document and of all below it. The lists are stored already. */
export interface RightsPlan {
  /** The list of the document itself. */
  readonly acpId: number
  readonly replacements: readonly AcpReplacement[]
}

/** A document as the plan needs it: where it is now, the list it has now, and what it is to have for its own. */
export interface Heir {
  readonly path: string | null
  readonly acpId: number
  readonly acls: readonly Acl[]
}

/** Plans what a document and all below it inherit from a parent. The caller has locked them. */
export async function planRights(
  connection: SqlConnection,
  dialect: Dialect,
  { path, acpId, acls }: Heir,
  parentId: string | null,
): Promise<RightsPlan> {
  const aces = effectiveAces(acls, await acesOfParent(connection, parentId))
  const own = path === null ? [] : (await connection.all(rightsBelow(path))).map(ownRightsOf)
  const regions = planRegions({ path: path ?? '', acpId, aces }, own)
  const lists = regions.map((region) => region.aces)
  const ids = await internLists(connection, dialect, lists)
  const idOf = (list: readonly Ace[]) => ids.get(list) as number
  return { acpId: idOf(aces), replacements: path === null ? [] : planReplacements(regions, idOf) }
}

async function acesOfParent(connection: SqlConnection, parentId: string | null): Promise<readonly Ace[]> {
  const parent = parentId === null ? undefined : await connection.get(rightsOf(parentId))
  if (parent === undefined) return []
  const list = await connection.get(acpById(parent[0] as number))
  if (list === undefined) throw new Error(`A document refers to the list of entries ${parent[0]}, which does not exist`)
  return acesOfText(list[1] as string)
}

function ownRightsOf([path, acls, acpId]: SqlRow): OwnRights {
  return { path: path as string, acls: aclsOf(acls as string), acpId: acpId as number }
}
