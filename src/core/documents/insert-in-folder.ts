import { type Acl, effectiveAces } from '../../model/acl.ts'
import type { Document } from '../../model/document.ts'
import { joinPath, nameAfterCollision } from '../../model/path-segment.ts'
import type { WriteSession } from '../session.ts'
import { nextPosition } from './hold-folder.ts'

/** Stores a new document in a folder that is held, under its name or, when the insert tells that it is taken, a variant of it. */
export async function insertInFolder(
  session: WriteSession,
  folder: Document,
  document: Document,
  variant: typeof nameAfterCollision = nameAfterCollision,
): Promise<Document> {
  const millis = Date.parse(session.now)
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
  for (let attempt = 0; !(await session.tx.documents.insert(placed)); attempt++) {
    placed = place(variant(document.name, millis, attempt))
  }
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
