import { hasPermission } from '../../core/permissions.ts'
import { throughProxies } from '../../core/search/through-proxies.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type End, listEnds } from './relation.ts'

const relatedAtOnce = 50

/** The documents to which the document is related so, as far as the caller may read them; page by page. @throws documentsTooLarge */
export async function* everyRelated(
  session: Session,
  document: Document,
  { predicate, at }: { readonly predicate: string; readonly at: End },
): AsyncGenerator<readonly Document[]> {
  const ids = await listEnds(session, at, document.id, predicate)
  const { maxListedBytes } = session.repository.rules
  for (let start = 0; start < ids.length; start += relatedAtOnce) {
    const readable: Document[] = []
    for (const related of await session.reader.documents.findAll(ids.slice(start, start + relatedAtOnce), maxListedBytes)) {
      if (await hasPermission(session, related, 'Read')) readable.push(related)
    }
    yield await throughProxies(session, readable, maxListedBytes)
  }
}
