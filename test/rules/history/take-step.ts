import { unreachable } from '../../../src/base/unreachable.ts'
import { createDocument } from '../../../src/core/documents/create-document.ts'
import { followTransition } from '../../../src/core/documents/lifecycle/follow-transition.ts'
import { lockDocument } from '../../../src/core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../../src/core/documents/locks/unlock-document.ts'
import { copyDocument } from '../../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../../src/core/documents/place/move-document.ts'
import { orderBefore } from '../../../src/core/documents/place/order-children.ts'
import { createProxy } from '../../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../../src/core/documents/proxies/publish-document.ts'
import { removeDocument } from '../../../src/core/documents/remove-document.ts'
import { addPermission } from '../../../src/core/documents/rights/add-permission.ts'
import { blockInheritance, unblockInheritance } from '../../../src/core/documents/rights/block-inheritance.ts'
import { removePermission } from '../../../src/core/documents/rights/remove-permission.ts'
import { saveDocument } from '../../../src/core/documents/save-document.ts'
import { trashDocument } from '../../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../../src/core/documents/trash/untrash-document.ts'
import { checkInDocument } from '../../../src/core/documents/versions/check-in.ts'
import { checkOutDocument } from '../../../src/core/documents/versions/check-out.ts'
import { restoreVersion } from '../../../src/core/documents/versions/restore-version.ts'
import type { WriteSession } from '../../../src/core/session.ts'
import type { Document } from '../../../src/model/document.ts'
import type { Action } from './step.ts'

/** What there is when a step is taken, in the order of paths: the same on every engine. */
export interface Standing {
  /** At and below the top. */
  readonly documents: readonly Document[]
  /** Of a live document, oldest first. */
  listVersions(live: Document): Promise<readonly Document[]>
}

/** Does what the step says to the documents that its numbers happen to mean. A step without its document does nothing. */
export async function takeStep(session: WriteSession, action: Action, { documents, listVersions }: Standing): Promise<void> {
  const [top] = documents
  if (top === undefined) return
  const isFolderish = (one: Document) => session.model.shapeOf(one).hasFacet('Folderish')
  const folders = documents.filter((one) => isFolderish(one) && !one.isProxy)
  const folder = (number: number) => folders[number % folders.length] as Document
  // The top itself stays: everything else happens below it.
  const others = documents.slice(1)
  if (action.kind === 'create') {
    const { type, name } = action
    await createDocument(session, { parent: folder(action.in), type, name, properties: { 'dc:title': name } })
    return
  }
  const what = others[action.what % others.length]
  if (what === undefined) return
  const version = async (number: number) => {
    const versions = await listVersions(what)
    return versions[number % versions.length]
  }
  switch (action.kind) {
    case 'update':
      await saveDocument(session, what.id, { 'dc:title': action.title }, action.versioning && { versioning: action.versioning })
      return
    case 'checkIn':
      await checkInDocument(session, what.id, action.increment)
      return
    case 'checkOut':
      await checkOutDocument(session, what.id)
      return
    case 'restore': {
      const chosen = await version(action.version)
      if (chosen !== undefined) await restoreVersion(session, what.id, chosen.id)
      return
    }
    case 'removeVersion': {
      const chosen = await version(action.version)
      if (chosen !== undefined) await removeDocument(session, chosen.id)
      return
    }
    case 'move':
      await moveDocument(session, what.id, {
        parentId: folder(action.to).id,
        ...(action.name !== undefined && { name: action.name }),
      })
      return
    case 'rename':
      await moveDocument(session, what.id, { name: action.name })
      return
    case 'copy':
      // Copies of copies would soon be all there is.
      if (documents.length < 60) await copyDocument(session, what.id, { parentId: folder(action.to).id })
      return
    case 'order': {
      const siblings = documents.filter(({ parentId }) => parentId === what.parentId)
      const before = action.before === null ? null : (siblings[action.before % siblings.length]?.id ?? null)
      await orderBefore(session, what.parentId ?? top.id, what.id, before)
      return
    }
    case 'trash':
      await trashDocument(session, what.id)
      return
    case 'untrash':
      await untrashDocument(session, what.id)
      return
    case 'grant':
      await addPermission(session, what.id, { users: [action.to], permission: action.permission })
      return
    case 'revoke':
      await removePermission(session, what.id, { user: action.from })
      return
    case 'block':
      await blockInheritance(session, what.id)
      return
    case 'unblock':
      await unblockInheritance(session, what.id)
      return
    case 'publish':
      await publishDocument(session, what.id, folder(action.to).id)
      return
    case 'proxy':
      await createProxy(session, what.id, folder(action.to).id)
      return
    case 'transition':
      // What is below a folder, also one that is seen through a proxy, follows in its own time, which no two runs share.
      if (isFolderish(what) && !action.transition.endsWith('delete')) return
      await followTransition(session, what.id, action.transition)
      return
    case 'lock':
      await lockDocument(session, what.id)
      return
    case 'unlock':
      await unlockDocument(session, what.id)
      return
    case 'remove':
      await removeDocument(session, what.id)
      return
    default:
      unreachable(action)
  }
}
