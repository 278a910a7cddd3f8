import type { Document, DocumentId } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'
import { seenThrough, throughProxy } from './proxies/proxy.ts'
import { readStoredForUpdate, readTargetForUpdate } from './read-for-update.ts'

/** What is changed when a document is addressed. Both are the document itself, unless that is a proxy. */
export interface Subject {
  /** As it is seen where it was addressed. */
  readonly place: Document
  /** What holds the content, locked until the transaction ends. */
  readonly content: Document
}

/** @throws documentNotFound */
export async function readSubject(session: WriteSession, id: DocumentId): Promise<Subject> {
  const addressed = await readStoredForUpdate(session, id)
  const content = await readTargetForUpdate(session, addressed)
  return { place: addressed.isProxy ? seenThrough(session.model, addressed, content) : content, content }
}

/** The changed content as it is seen where it was addressed. */
export async function shownAt(session: WriteSession, { place }: Subject, changed: Document): Promise<Document> {
  if (!place.isProxy) return changed
  const proxy = await session.tx.documents.find(place.id)
  return proxy === undefined ? place : throughProxy(session, proxy)
}
