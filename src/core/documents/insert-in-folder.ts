import type { Document } from '../../model/document.ts'
import { joinPath, nameAfterCollision } from '../../model/path-segment.ts'
import { type Acl, effectiveAces } from '../../model/rights/acl.ts'
import type { WriteSession } from '../session.ts'
import { nextPosition } from './folder-for-insert.ts'
import { freeVariant, type Variant } from './name-in-folder.ts'

/** Where the name of a document comes from, for the case that it is taken after all. */
export interface Naming {
  /** What variants are made of; absent, the name itself. */
  readonly asked?: string
  readonly variant?: Variant
}

/**
 * Stores a new document in a folder that is locked, under its name or, when the insert tells that it is taken, a variant of it.
 */
export async function insertInFolder(
  session: WriteSession,
  folder: Document,
  document: Document,
  { asked = document.name, variant = nameAfterCollision }: Naming = {},
): Promise<Document> {
  const acpId = await acpIdBelow(session, folder, document.acls)
  const position = await nextPosition(session, folder)
  const place = (name: string): Document => ({
    ...document,
    name,
    path: joinPath(folder.path ?? '', name),
    parentId: folder.id,
    position,
    acpId,
  })
  let placed = place(document.name)
  while (!(await session.tx.documents.insert(placed))) placed = place(await freeVariant(session, folder, asked, variant))
  return placed
}

/** The list of entries that decides about a document with these own ACLs below a folder. */
export async function acpIdBelow(
  session: WriteSession,
  folder: { readonly acpId: number },
  acls: readonly Acl[],
): Promise<number> {
  if (acls.length === 0) return folder.acpId
  const inherited = await session.repository.acps.entriesOf(session, folder.acpId)
  return session.tx.acps.intern(effectiveAces(acls, inherited))
}
