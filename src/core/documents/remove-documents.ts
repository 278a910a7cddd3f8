import type { Document, DocumentId } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'
import { ancestorPaths } from './ancestors.ts'
import { documentNotFound } from './read-document.ts'
import { removeDocument } from './remove-document.ts'

/** Removes several documents for good. What goes with another of them is not removed a second time. */
export async function removeDocuments(session: WriteSession, ids: readonly DocumentId[]): Promise<void> {
  const documents = await session.tx.documents.findAll([...new Set(ids)])
  const missing = new Set(ids).difference(new Set(documents.map(({ id }) => id)))
  for (const reference of missing) throw documentNotFound({ reference })
  for (const { id } of inRemovalOrder(documents)) await removeDocument(session, id)
}

/**
 * Without what is below another of them and without versions that follow their live document; by path, but proxies before what
 * they may show and versions at the end.
 */
export function inRemovalOrder(documents: readonly Document[]): readonly Document[] {
  const ids = new Set(documents.map(({ id }) => id))
  const paths = new Set(documents.flatMap(({ path }) => path ?? []))
  const goesAlong = ({ isVersion, seriesId, path }: Document) =>
    (isVersion && ids.has(seriesId ?? '')) || (path !== null && ancestorPaths(path).some((ancestor) => paths.has(ancestor)))
  const rank = ({ isProxy, isVersion }: Document) => (isProxy ? 0 : isVersion ? 2 : 1)
  return documents
    .filter((document) => !goesAlong(document))
    .toSorted((one, other) => rank(one) - rank(other) || ((one.path ?? '') < (other.path ?? '') ? -1 : 1))
}
