import type { OperationContext, OperationServices } from '../../automation/context.ts'
import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { readStoredForUpdate } from '../../core/documents/read-for-update.ts'
import { saveContent } from '../../core/documents/save-document.ts'
import { requirePermission } from '../../core/permissions.ts'
import { attachedBeside, type SaveOptions } from '../../core/save-options.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { withFacet, withoutFacet } from '../../model/own-facets.ts'
import { isComplexValue, type PropertyValue } from '../../model/properties/property.ts'
import { isTransient } from '../../model/rights/principal.ts'
import { addMembers, getOrCreatePlace, ownCollections } from '../collections/index.ts'
import { registered, unregistered, writeOwnChange } from './change-rows.ts'
import { isRootable } from './file-system-item.ts'
import { rootKind } from './item-places.ts'
import { type ItemTree, openItemTree } from './item-tree.ts'
import { addRoot, isRoot, listOwnRoots, listOwnRootsBelow, removeRoot } from './root-rows.ts'
import { maxSubscriptions, subscriptionsProperty, synchronisedFacet } from './sync-model.ts'

/** A client asks for all of them each time. */
const maxRoots = 500

export const notRootable = defineProblem(
  'notRootable',
  'invalid',
  (of: { id: string }) =>
    `${of.id} cannot be synchronised: choose a folder or a collection that is no version, no proxy and not in the trash.`,
)

export const noAccountToSynchronise = defineProblem(
  'noAccountToSynchronise',
  'forbidden',
  (of: { user: string }) => `'${of.user}' has no account and synchronises nothing. Sign in.`,
)

export const tooManyRoots = defineProblem(
  'tooManyRoots',
  'tooLarge',
  (_: object) => `More than ${maxRoots} folders cannot be synchronised. Choose a folder above them, or give some up.`,
)

/**
 * Has the session's principal synchronise a document that they can read. What they see in another root of theirs is synchronised already,
 * and stays as it is; roots of theirs that are seen in this one from now on are none any more.
 */
export async function registerRoot(
  session: WriteSession,
  { vendored }: Pick<OperationServices, 'vendored'>,
  id: DocumentId,
): Promise<void> {
  const { principal } = session
  if (principal.isAnonymous || isTransient(principal.name)) throw noAccountToSynchronise({ user: principal.name })
  const document = await readStoredForUpdate(session, id)
  await requirePermission(session, document, 'Read')
  if (!isRootable(session, document) || document.path === null) throw notRootable({ id })
  const roots = await listOwnRoots(session)
  if (roots.some((root) => root.id === id)) return
  if (rootKind(session, document) === 'root' && (await isSeen(session, vendored, document))) return
  if (roots.length >= maxRoots) throw tooManyRoots({})
  await addRoot(session, { id, path: document.path })
  await writeOwnChange(session, registered, id)
  await noteSubscription(session, id, true)
  for (const nested of await listOwnRootsBelow(session, document.path)) await giveUpIfSeen(session, vendored, nested.id)
}

/** Whether the principal sees it in a root. */
async function isSeen(session: WriteSession, vendored: VendorIdentifiers, document: Document): Promise<boolean> {
  return (await (await openItemTree(session, vendored)).show(document)) !== undefined
}

/** A root stays one where a folder above it is hidden from the principal, and a collection is in no folder of a client. */
async function giveUpIfSeen(session: WriteSession, vendored: VendorIdentifiers, id: DocumentId): Promise<void> {
  const tree = await openItemTree(session, vendored)
  const nested = tree.roots.find((root) => root.id === id)
  if (nested === undefined || rootKind(session, nested) === 'collection') return
  if (await isSeenAround(tree, nested)) await unregisterRoot(session, id)
}

async function isSeenAround(tree: ItemTree, { parentId }: Document): Promise<boolean> {
  return parentId !== null && (await tree.find(parentId)) !== undefined
}

/** Whether it was one. */
export async function unregisterRoot(session: WriteSession, id: DocumentId): Promise<boolean> {
  await readStoredForUpdate(session, id)
  if (!(await removeRoot(session, id))) return false
  await writeOwnChange(session, unregistered, id)
  await noteSubscription(session, id, false)
  return true
}

/** It is no change of the document that others would have to be told of, or that takes a right on it. */
const besideDocument: SaveOptions = { ...attachedBeside, notifications: false, source: 'drive' }

/** The document says so, too, for clients that read it there: of many who have it, those who came last. */
async function noteSubscription(session: WriteSession, id: DocumentId, enabled: boolean): Promise<void> {
  const { principal, model, now } = session
  const own = { username: principal.name, enabled, lastChangeDate: now }
  const isAnybodys = await isRoot(session, id)
  await saveContent(
    session.asSystem(),
    id,
    (current) => {
      const others = subscriptionsOf(current).filter((one) => isComplexValue(one) && one['username'] !== principal.name)
      const subscriptions = [...others, own].slice(-maxSubscriptions)
      if (!isAnybodys) return { facets: withoutFacet(model, current, synchronisedFacet), properties: {} }
      return {
        facets: withFacet(model, current, synchronisedFacet),
        properties: { [subscriptionsProperty]: subscriptions },
      }
    },
    besideDocument,
  )
}

function subscriptionsOf({ properties }: Document): readonly PropertyValue[] {
  const value = properties[subscriptionsProperty]
  return Array.isArray(value) ? value : []
}

/** Clients put it beside the other roots, and know it by nothing but being a collection. */
const locallyEdited = 'Locally Edited'

/** Puts a document that the caller edits with a client into a collection of theirs that they synchronise. */
export async function addToLocallyEdited(context: OperationContext<WriteSession>, document: Document): Promise<Document> {
  const { session, services } = context
  const collection = await getOrCreateLocallyEdited(session, await getOrCreatePlace(context, ownCollections))
  await addMembers(session, collection.id, [document.id])
  await registerRoot(session, services, collection.id)
  return readDocument(session, document.id)
}

async function getOrCreateLocallyEdited(session: WriteSession, place: Document): Promise<Document> {
  // One transaction at a time finds it missing.
  const parent = await readStoredForUpdate(session, place.id)
  const found = await session.tx.documents.findChild(parent.id, locallyEdited)
  if (found !== undefined && found.type === 'Collection' && !found.isTrashed && !found.isProxy) return found
  const properties = { 'dc:title': locallyEdited, 'dc:description': 'Documents that were edited with the desktop client' }
  return createDocument(session, { parent, type: 'Collection', name: locallyEdited, properties })
}
