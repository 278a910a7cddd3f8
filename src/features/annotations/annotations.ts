import { hasPermission } from '../../core/permissions.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { listed, quoted } from '../../core/search/query/nxql-text.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { findCommentRoot, findTopLevel, type PlacedComment } from '../comments/index.ts'

/** A part of them; the order is that of comments. */
interface AnnotationWindow {
  readonly offset: number
  readonly limit: number
}

/** Annotations of a document that the caller may read, of one of its files or of all, the newest first. */
export async function listAnnotations(
  session: Session,
  document: Document,
  xpath: string | undefined,
  window: AnnotationWindow,
): Promise<readonly PlacedComment[]> {
  const root = await findCommentRoot(session, document)
  if (root === undefined) return []
  const ofFile = xpath === undefined ? '' : ` AND annotation:xpath = ${quoted(xpath)}`
  const text = `SELECT * FROM Annotation WHERE ecm:parentId = ${quoted(root.id)}${ofFile} ORDER BY comment:creationDate DESC`
  const found = await readable(session, text, window)
  return found.map((comment) => ({ comment, topLevel: document }))
}

/** Comments at any depth below the annotations, as far as the caller may read what they are about; the newest first. */
export async function listCommentsBelow(
  session: Session,
  annotationIds: readonly string[],
  window: AnnotationWindow,
): Promise<readonly PlacedComment[]> {
  if (annotationIds.length === 0) return []
  const ids = listed(annotationIds.map(quoted))
  const text = `SELECT * FROM Comment WHERE comment:ancestorIds IN ${ids} ORDER BY comment:creationDate DESC`
  const placed: PlacedComment[] = []
  const known = new Map<string, Document | undefined>()
  for (const comment of await readable(session, text, window)) {
    const topLevel = await findReadableTop(session, comment, known)
    if (topLevel !== undefined) placed.push({ comment, topLevel })
  }
  return placed
}

async function readable(session: Session, text: string, window: AnnotationWindow): Promise<readonly Document[]> {
  const { maxListedBytes: maxBytes } = session.repository.rules
  const { documents } = await searchDocuments(session, compile(session, text), { ...window, countLimit: 1, maxBytes })
  const allowed: Document[] = []
  // What may be browsed may be listed, but not read.
  for (const document of documents) if (await hasPermission(session, document, 'Read')) allowed.push(document)
  return allowed
}

async function findReadableTop(session: Session, comment: Document, known: Map<string, Document | undefined>) {
  const topLevel = await findTopLevel(session.asSystem(), comment)
  if (topLevel === undefined) return undefined
  if (!known.has(topLevel.id)) known.set(topLevel.id, (await hasPermission(session, topLevel, 'Read')) ? topLevel : undefined)
  return known.get(topLevel.id)
}
