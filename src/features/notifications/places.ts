import { ancestorPaths } from '../../core/documents/ancestors.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'

/** Where subscriptions to what happens to a document may be: itself, and what it is in, up to the root. */
export async function listPlaces({ reader }: Session, document: Document): Promise<readonly Document[]> {
  // Somebody may have been subscribed since the event took the document.
  const current = (await reader.documents.find(document.id)) ?? document
  if (document.path === null || document.path === '/') return [current]
  const above = await reader.documents.findAllByPath(['/', ...ancestorPaths(document.path)])
  return [current, ...above.toReversed()]
}
