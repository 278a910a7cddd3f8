import { defineProblem } from '../../base/problem.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { hasPermission, noteGranted, requirePermission } from '../permissions.ts'
import type { Session } from '../session.ts'
import { noAcpId } from './empty-document.ts'
import { throughProxy } from './proxies/proxy.ts'

/** The message is exactly what was asked for; clients compare it. Nothing that was asked for would tell nobody what to change. */
export const documentNotFound = defineProblem(
  'documentNotFound',
  'notFound',
  ({ reference, parameter }: { reference: string; parameter?: string }) => {
    if (reference.trim() !== '') return reference
    const where = parameter === undefined ? 'What was sent' : `The parameter '${parameter}'`
    return `${where} has an empty reference to a document. Send its id or its path.`
  },
)

/** @throws documentNotFound, or privilegeMissing without Read. */
export async function readDocument(session: Session, id: DocumentId): Promise<Document> {
  return await readFound(session, await findStored(session, id), id)
}

/** One slash at the end says nothing. @throws documentNotFound, or privilegeMissing without Read. */
export async function readDocumentByPath(session: Session, path: string): Promise<Document> {
  const stored = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return await readFound(session, await session.reader.documents.findByPath(stored), path)
}

/** The document when it exists and may be read. */
export async function findReadable(session: Session, id: DocumentId): Promise<Document | undefined> {
  const found = await findStored(session, id)
  if (found === undefined || !(await mayRead(session, found))) return undefined
  return throughProxy(session, found)
}

/**
 * Whether contents of a document that is at hand may be handed over. It may have been found with Browse alone, which is enough for lists
 * and for nothing else. One that was never stored hides nothing.
 */
export async function mayRead(session: Session, document: Document): Promise<boolean> {
  if (document.acpId === noAcpId) return true
  if (!(await hasPermission(session, document, 'Read'))) return false
  noteGranted(session, document, 'Read')
  return true
}

/** @throws privilegeMissing without Read. */
export async function requireRead(session: Session, document: Document): Promise<void> {
  if (document.acpId !== noAcpId) await requirePermission(session, document, 'Read')
}

/** The document under an id that a client made up or remembered, without a check of rights. */
export function findStored(session: Session, id: DocumentId): Promise<Document | undefined> {
  return session.reader.documents.find(id)
}

async function readFound(session: Session, found: Document | undefined, reference: string): Promise<Document> {
  if (found === undefined) throw documentNotFound({ reference })
  await requirePermission(session, found, 'Read')
  return found.isProxy ? throughProxy(session, found) : found
}
