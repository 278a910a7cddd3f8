import type { Document } from '../../model/document.ts'
import { hasPermission, requirePermission } from '../permissions.ts'
import type { Session } from '../session.ts'
import { throughProxy } from './proxies/proxy.ts'

/** The paths from just below the root down to the document's parent. */
export function ancestorPaths(path: string): string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}

/** The ancestors that the caller can read, top down, root excluded: going up stops at the first that is unreadable. */
export async function listReadableAncestors(session: Session, document: Document): Promise<readonly Document[]> {
  if (document.path === null) return []
  const ancestors = await session.reader.documents.findAllByPath(ancestorPaths(document.path))
  const readable: Document[] = []
  for (const ancestor of ancestors.toReversed()) {
    if (!(await hasPermission(session, ancestor, 'Read'))) break
    readable.unshift(await throughProxy(session, ancestor))
  }
  return readable
}

/** The nearest ancestor, the root included, that the caller can read. */
export async function findAccessibleAncestor(session: Session, document: Document): Promise<Document | undefined> {
  if (document.path === null || document.path === '/') return undefined
  const ancestors = await session.reader.documents.findAllByPath(['/', ...ancestorPaths(document.path)])
  for (const ancestor of ancestors.toReversed()) {
    if (await hasPermission(session, ancestor, 'Read')) return throughProxy(session, ancestor)
  }
  return undefined
}

/**
 * What the document is in, or the nearest ancestor of the type; undefined when there is none. A version is where its live document
 * is.
 * @throws privilegeMissing when it cannot be read
 */
export async function findParent(session: Session, document: Document, type?: string): Promise<Document | undefined> {
  const placed = await findPlaced(session, document)
  if (placed.path === null || placed.path === '/') return undefined
  const ancestors = await session.reader.documents.findAllByPath(['/', ...ancestorPaths(placed.path)])
  const found = ancestors.findLast((ancestor) => type === undefined || ancestor.type === type)
  if (found === undefined) return undefined
  await requirePermission(session, found, 'Read')
  return throughProxy(session, found)
}

/** A version is nowhere in the tree; where its live document is, it counts as being. When that is gone, it is nowhere indeed. */
export async function findPlaced(session: Session, document: Document): Promise<Document> {
  if (!document.isVersion || document.seriesId === null) return document
  return (await session.reader.documents.find(document.seriesId)) ?? document
}
