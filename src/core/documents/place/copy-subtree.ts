import { newId } from '../../../base/ids.ts'
import { carriedContent } from '../../../model/carried-content.ts'
import { type Document, type DocumentId, pristine } from '../../../model/document.ts'
import { noLifecycle } from '../../../model/lifecycle.ts'
import { bringsReservedFacet } from '../../../model/own-facets.ts'
import { copyNameAfterCollision, joinPath } from '../../../model/path-segment.ts'
import { type Acl, lastingAcls } from '../../../model/rights/acl.ts'
import { plainNameOf } from '../../../model/trashed-name.ts'
import { hasPermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { isSpecial } from '../children.ts'
import { everyPageBelow } from '../every-below.ts'
import { acpIdBelow, insertInFolder } from '../insert-in-folder.ts'
import { mayProxy } from '../proxies/create-proxy.ts'
import { withTarget } from '../proxies/proxy.ts'

export interface CopyRules {
  readonly name: string
  /** Of which a variant is taken when the name is not free. */
  readonly asked: string
  readonly resetLifeCycle: boolean
}

/** What a copy below it needs to know of a copy. */
type CopiedFolder = Pick<Document, 'id' | 'path' | 'acpId'>

/** Puts a copy of the document, and of what the caller may copy below it, into the folder, and gives the copy of the document. */
export async function copySubtree(
  session: WriteSession,
  source: Document,
  folder: Document,
  { name, asked, resetLifeCycle }: CopyRules,
): Promise<Document> {
  const state = resetLifeCycle ? firstState(session, source) : source.state
  const copied = await withTarget(session, { ...copyOf(session, source), name, state })
  const root = await insertInFolder(session, folder, copied, { asked, variant: copyNameAfterCollision })
  if (source.path !== null) await copyBelow(session, { ...source, path: source.path }, root, resetLifeCycle)
  return root
}

async function copyBelow(
  session: WriteSession,
  source: { readonly id: DocumentId; readonly path: string },
  root: Document,
  resetLifeCycle: boolean,
): Promise<void> {
  const folders = new Map<DocumentId, CopiedFolder>([[source.id, root]])
  const acpIdIn = rememberingAcps(session)
  const nameOf = namingOutOfTrash(session)
  for await (const page of everyPageBelow(session, source.path)) {
    const copies: Document[] = []
    for (const original of page) {
      const folder = folders.get(original.parentId ?? '')
      // Its folder is left out, or another transaction made it when the walk had passed there: it is not part of what is copied.
      if (folder === undefined || !(await mayCopy(session, original))) continue
      const name = await nameOf(original)
      const isReset = resetLifeCycle && !original.isTrashed
      const carried = copyOf(session, original)
      const copy = await withTarget(session, {
        ...carried,
        parentId: folder.id,
        name,
        path: joinPath(folder.path ?? '', name),
        state: isReset ? firstState(session, original) : original.state,
        acpId: await acpIdIn(folder, carried.acls),
      })
      folders.set(original.id, { id: copy.id, path: copy.path, acpId: copy.acpId })
      copies.push(copy)
    }
    await session.tx.documents.insertMany(copies)
  }
}

/**
 * A copy would hand over what is hidden from the caller, or show a live document where the caller may change rights. What is special is
 * said of the original, and whoever may not give a facet does not multiply it by its type either.
 */
async function mayCopy(session: WriteSession, original: Document): Promise<boolean> {
  const { model, principal } = session
  if (isSpecial(model, original) || (!principal.isAdministrator && bringsReservedFacet(model, original.type))) return false
  return (await hasPermission(session, original, 'Read')) && (!original.isProxy || mayProxy(session, original))
}

/** Copies are out of the trash, and have their names back where no sibling that is copied has taken them. */
function namingOutOfTrash(session: WriteSession) {
  const given = new Set<string>()
  return async (original: Document): Promise<string> => {
    const plain = plainNameOf(original)
    if (plain === original.name || original.parentId === null) return original.name
    const key = `${original.parentId}/${plain}`
    const sibling = await session.tx.documents.findChild(original.parentId, plain)
    if (given.has(key) || (sibling !== undefined && (await mayCopy(session, sibling)))) return original.name
    given.add(key)
    return plain
  }
}

/** Interns the rights of each kind of copy once: most of a tree shares a few. */
function rememberingAcps(session: WriteSession) {
  const known = new Map<string, number>()
  return async (folder: CopiedFolder, acls: readonly Acl[]): Promise<number> => {
    if (acls.length === 0) return folder.acpId
    const key = `${folder.acpId} ${JSON.stringify(acls)}`
    const acpId = known.get(key) ?? (await acpIdBelow(session, folder, acls))
    known.set(key, acpId)
    return acpId
  }
}

/** What a copy takes along. History, lock, trash, record, retention and the rights of tasks stay with the original. */
function copyOf({ model }: WriteSession, original: Document): Document {
  const { repository, name, position, type, facets, state, acpId, properties } = carriedContent(model, original)
  const acls = lastingAcls(original.acls)
  const { isProxy, targetId, seriesId } = original.isProxy ? original : pristine
  const copied = { repository, name, position, type, facets, state, acls, acpId, properties, isProxy, targetId, seriesId }
  return { ...pristine, ...copied, id: newId(), parentId: null, path: null }
}

/** A proxy has no state of its own. */
function firstState(session: WriteSession, { type, state, isProxy }: Document): string {
  return isProxy ? state : (session.model.lifecycleOf(type)?.initial ?? noLifecycle)
}
