import { changedMeanwhile, type Document, type DocumentId, nextChangeToken } from '../../model/document.ts'
import { requirePermission } from '../permissions.ts'
import type { Session, WriteSession } from '../session.ts'
import { repeatTarget, withTarget } from './proxies/proxy.ts'
import { documentNotFound } from './read-document.ts'
import { requireHeldContentKept } from './records/record-write.ts'

/**
 * Reads what the id means and locks its row until the transaction ends: of a proxy that is what it points to, which takes the right at
 * both places.
 * @throws documentNotFound, privilegeMissing
 */
export async function readForUpdate(session: WriteSession, id: DocumentId, permission: string): Promise<Document> {
  const addressed = await readStoredForUpdate(session, id)
  const document = await readTargetForUpdate(session, addressed)
  await requireRightAt(session, addressed, document, permission)
  return document
}

/** @throws documentNotFound */
export async function readStoredForUpdate(session: WriteSession, id: DocumentId): Promise<Document> {
  const found = await session.tx.documents.findForUpdate(id)
  if (found === undefined) throw documentNotFound({ reference: id })
  return found
}

/** What a proxy points to, its row locked as well; any other document is its own target. */
export async function readTargetForUpdate(session: WriteSession, document: Document): Promise<Document> {
  return document.isProxy && document.targetId !== null ? readStoredForUpdate(session, document.targetId) : document
}

/**
 * The right to change the target where it was addressed. A proxy is no way around its rights: a caller who could read one might put a
 * proxy where they may do everything, and change the target there. @throws privilegeMissing
 */
export async function requireRightAt(session: Session, addressed: Document, target: Document, permission: string): Promise<void> {
  await requireRightAtPlace(session, addressed, target, permission)
  if (addressed.isProxy) await requirePermission(session, target, permission)
}

/** The same for what a proxy keeps itself. It is no way around the lock of what it points to. @throws privilegeMissing */
export function requireRightAtPlace(session: Session, addressed: Document, target: Document, permission: string): Promise<void> {
  return requirePermission(session, { ...addressed, lock: target.lock }, permission)
}

/** A document as it is stored, and the proxies that repeat it. */
export interface StoredDocument {
  readonly document: Document
  readonly proxyIds: readonly DocumentId[]
}

/**
 * Writes a changed document, and with it the proxies that repeat it, and gives it as stored, its token raised. A proxy is written
 * as its target is now.
 * @throws changedMeanwhile when another transaction changed it since it was read; heldContentKept
 */
export async function store(session: WriteSession, before: Document, after: Document, isUserChange = false): Promise<Document> {
  return (await storeRepeated(session, before, after, isUserChange)).document
}

/** The same for who has something to tell of the proxies. */
export async function storeRepeated(
  session: WriteSession,
  before: Document,
  after: Document,
  isUserChange: boolean,
): Promise<StoredDocument> {
  if (before.hasLegalHold) requireHeldContentKept(before, after)
  const complete = after.isProxy ? await withTarget(session, after) : after
  const document = { ...complete, changeToken: nextChangeToken(before.changeToken, isUserChange) }
  const proxyIds = await session.tx.documents.update(before, document)
  if (proxyIds === undefined) throw changedMeanwhile({ id: before.id })
  await repeatTarget(session, document, proxyIds)
  return { document, proxyIds }
}
