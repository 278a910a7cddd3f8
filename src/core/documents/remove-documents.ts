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
  await removeEach(session, documents, ({ id }) => removeDocument(session, id))
}

/** What goes with another is not removed by itself, and what holds a proxy to another goes before that. */
export async function removeEach(
  session: WriteSession,
  documents: readonly Document[],
  remove: (document: Document) => Promise<void>,
): Promise<void> {
  const left = new Set(inRemovalOrder(documents))
  const removeOne = async (document: Document) => {
    left.delete(document)
    for (;;) {
      const holder = await findHolder(session, left, document)
      if (holder === undefined) break
      await removeOne(holder)
    }
    await remove(document)
  }
  for (const document of left) await removeOne(document)
}

/** Which of those that are left takes a proxy along that shows the document, or something below it. */
async function findHolder(
  { tx: { documents } }: WriteSession,
  left: ReadonlySet<Document>,
  { path }: Document,
): Promise<Document | undefined> {
  const proxied = path === null || left.size === 0 ? undefined : await documents.findProxyInto(path)
  const place = proxied && (await documents.find(proxied.proxyId))?.path
  return place ? [...left].find((one) => one.path !== null && `${place}/`.startsWith(`${one.path}/`)) : undefined
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
