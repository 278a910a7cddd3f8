import type { Document, DocumentId } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'
import { holdStored, holdTarget } from './hold-for-change.ts'
import { seenThrough, throughProxy } from './proxies/proxy.ts'

/** What is changed when a document is addressed. Both are the document itself, unless that is a proxy. */
export interface Subject {
  /** As it is seen where it was addressed. */
  readonly place: Document
  /** What holds the content, locked until the transaction ends. */
  readonly content: Document
}

/** @throws documentNotFound */
export async function readSubject(session: WriteSession, id: DocumentId): Promise<Subject> {
  const addressed = await holdStored(session, id)
  const content = await holdTarget(session, addressed)
  return { place: addressed.isProxy ? seenThrough(session.model, addressed, content) : content, content }
}

/** The changed content as it is seen where it was addressed. */
export async function shownAt(session: WriteSession, { place }: Subject, changed: Document): Promise<Document> {
  if (!place.isProxy) return changed
  const proxy = await session.tx.documents.find(place.id)
  return proxy === undefined ? place : throughProxy(session, proxy)
}
