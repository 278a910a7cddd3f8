import { defineProblem } from '../../base/problem.ts'
import { readStoredForUpdate, readTargetForUpdate } from '../../core/documents/read-for-update.ts'
import { saveContent, saveDocument } from '../../core/documents/save-document.ts'
import { announce, type EventDetails, offer } from '../../core/event.ts'
import { hasPermission, privilegeMissing, requirePermission } from '../../core/permissions.ts'
import { attachedBeside, type TrustedSaveOptions } from '../../core/save-options.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { withFacet } from '../../model/own-facets.ts'
import { textsOf } from '../../model/properties/property-texts.ts'
import {
  collectionFacet,
  maxMembers,
  memberFacet,
  membershipsProperty,
  membersProperty,
  notCollectableFacet,
  readCanCollect,
} from './collection-model.ts'

export const notCollection = defineProblem(
  'notCollection',
  'invalid',
  (of: { id: string }) => `Document ${of.id} is not a collection`,
)

export const notCollectable = defineProblem(
  'notCollectable',
  'invalid',
  (of: { id: string; type: string }) => `Document ${of.id} is not collectable: a ${of.type} cannot be in a collection`,
)

export const collectionFull = defineProblem(
  'collectionFull',
  'tooLarge',
  (of: { id: string }) => `The collection ${of.id} would have more than ${maxMembers} members. Make another one.`,
)

/** What is in the collection, in its order; some of it may be gone or hidden from the caller. */
export function membersOf(collection: Document): readonly DocumentId[] {
  return textsOf(collection, membersProperty)
}

/** The collections that a document is in, regardless of rights. */
export function collectionIds(document: Document): readonly DocumentId[] {
  return textsOf(document, membershipsProperty)
}

/** @throws notCollection */
export function requireCollection({ model }: Session, document: Document): void {
  if (!model.shapeOf(document).hasFacet(collectionFacet)) throw notCollection(document)
}

/** Whether the caller may put documents into the collection. */
export function mayCollectIn(session: Session, collection: Document): Promise<boolean> {
  return hasPermission(session, collection, 'WriteProperties')
}

/**
 * Puts documents that the caller can read at the end of a collection that the caller may change. Those that are in it stay where they are.
 * @throws notCollection, notCollectable, collectionFull, privilegeMissing
 */
export async function addMembers(session: WriteSession, id: DocumentId, memberIds: readonly DocumentId[]): Promise<void> {
  const collection = await readForMembers(session, id)
  const about = aboutCollection(collection)
  const present = new Set(membersOf(collection))
  const added: Document[] = []
  for (const memberId of new Set(memberIds)) {
    const member = await readMember(session, memberId)
    requireCollectable(session, member)
    if (present.has(memberId) && collectionIds(member).includes(collection.id)) continue
    added.push(member)
    await offer(session, 'beforeAddedToCollection', member, about)
  }
  const saved = await writeEach(session, added, (ids) => [...ids, collection.id])
  await writeMembers(session, collection, [...present.union(new Set(added.map((member) => member.id)))])
  for (const member of saved) await announce(session, 'addedToCollection', member, about)
}

/** Takes documents out of a collection that the caller may change. @throws notCollection, privilegeMissing */
export async function removeMembers(session: WriteSession, id: DocumentId, memberIds: readonly DocumentId[]): Promise<void> {
  const collection = await readForMembers(session, id)
  const about = aboutCollection(collection)
  const present = new Set(membersOf(collection))
  const removed: Document[] = []
  for (const memberId of new Set(memberIds)) {
    const member = await readMember(session, memberId)
    if (!present.has(memberId) && !collectionIds(member).includes(collection.id)) continue
    removed.push(member)
    await offer(session, 'beforeRemovedFromCollection', member, about)
  }
  const saved = await writeEach(session, removed, (ids) => ids.filter((other) => other !== collection.id))
  await writeMembers(session, collection, [...present.difference(new Set(removed.map((member) => member.id)))])
  for (const member of saved) await announce(session, 'removedFromCollection', member, about)
}

/**
 * Moves a member right behind another one, or to the first place. False when one of them is no member.
 * @throws notCollection, privilegeMissing
 */
export async function moveMember(
  session: WriteSession,
  id: DocumentId,
  moved: DocumentId,
  behind: DocumentId | undefined,
): Promise<boolean> {
  const collection = await readForMembers(session, id)
  const order = planMove(membersOf(collection), moved, behind)
  if (order === undefined) return false
  await writeMembers(session, collection, order)
  return true
}

/** The members in their new order; undefined when one of the two is not among them. */
export function planMove(
  members: readonly DocumentId[],
  moved: DocumentId,
  behind: DocumentId | undefined,
): readonly DocumentId[] | undefined {
  if (!members.includes(moved) || (behind !== undefined && !members.includes(behind))) return undefined
  if (moved === behind) return members
  const others = members.filter((member) => member !== moved)
  return others.toSpliced(behind === undefined ? 0 : others.indexOf(behind) + 1, 0, moved)
}

/** The row of the collection, locked; a proxy to one leads to it. */
async function readForMembers(session: WriteSession, id: DocumentId): Promise<Document> {
  const addressed = await readStoredForUpdate(session, id)
  const collection = await readTargetForUpdate(session, addressed)
  for (const place of new Set([addressed, collection])) {
    const isAllowed = await mayCollectIn(session, place)
    if (!isAllowed) throw privilegeMissing({ permission: readCanCollect.name, principal: session.principal.name })
  }
  requireCollection(session, collection)
  return collection
}

async function readMember(session: WriteSession, id: DocumentId): Promise<Document> {
  const member = await readStoredForUpdate(session, id)
  await requirePermission(session, member, 'Read')
  return member
}

function requireCollectable({ model }: WriteSession, member: Document): void {
  if (model.shapeOf(member).hasFacet(notCollectableFacet)) throw notCollectable(member)
}

function aboutCollection({ id }: Document): EventDetails {
  return { properties: { collectionRef: id } }
}

async function writeMembers(session: WriteSession, collection: Document, members: readonly DocumentId[]): Promise<void> {
  if (members.length > maxMembers) throw collectionFull({ id: collection.id })
  const isSame = members.length === membersOf(collection).length && members.every((id, at) => id === membersOf(collection)[at])
  if (!isSame) await saveDocument(session, collection.id, { [membersProperty]: members })
}

/** Before the collection itself, which lists no more and no less than what its members say. */
async function writeEach(
  session: WriteSession,
  members: readonly Document[],
  change: (ids: readonly DocumentId[]) => readonly DocumentId[],
): Promise<readonly Document[]> {
  const saved: Document[] = []
  for (const { id } of members) saved.push(await writeMemberships(session, id, change))
  return saved
}

/** Those who subscribed to a document are not told either: it has not changed, and what somebody likes is nobody else's business. */
export const collectedQuietly: TrustedSaveOptions = { ...attachedBeside, notifications: false }

/** Being collected is no change of a document, for which its reader would need a right. */
export function writeMemberships(
  session: WriteSession,
  id: DocumentId,
  change: (ids: readonly DocumentId[]) => readonly DocumentId[],
): Promise<Document> {
  return saveContent(
    session.asSystem(),
    id,
    (current) => ({
      properties: { [membershipsProperty]: [...new Set(change(collectionIds(current)))] },
      ...(!current.isProxy && { facets: withFacet(session.model, current, memberFacet) }),
    }),
    collectedQuietly,
  )
}
