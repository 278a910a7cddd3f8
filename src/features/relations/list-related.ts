import { hasPermission } from '../../core/permissions.ts'
import { throughProxies } from '../../core/search/through-proxies.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type End, listEnds } from './relation.ts'

/** The documents to which the document is related so, as far as the caller may read them. */
export async function listRelated(
  session: Session,
  document: Document,
  { predicate, at }: { readonly predicate: string; readonly at: End },
): Promise<readonly Document[]> {
  const ids = await listEnds(session, at, document.id, predicate)
  const readable: Document[] = []
  for (const related of await session.reader.documents.findAll(ids)) {
    if (await hasPermission(session, related, 'Read')) readable.push(related)
  }
  return throughProxies(session, readable)
}
