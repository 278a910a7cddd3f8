import type { Document, DocumentId } from '../../../model/document.ts'
import type { Session } from '../../session.ts'
import { ancestorPaths } from '../ancestors.ts'
import { documentNotFound } from '../read-document.ts'

/** What is below no other document of the selection, in its order. */
export function rootsOf<Placed extends { readonly path: string | null }>(selection: readonly Placed[]): readonly Placed[] {
  const paths = new Set(selection.flatMap(({ path }) => path ?? []))
  const isBelowAnother = (path: string) => path !== '/' && ['/', ...ancestorPaths(path)].some((ancestor) => paths.has(ancestor))
  return selection.filter(({ path }) => path === null || !isBelowAnother(path))
}

/** The documents with these ids, each once. @throws documentNotFound */
export async function readSelection(session: Session, ids: readonly DocumentId[]): Promise<readonly Document[]> {
  const wanted = new Set(ids)
  const documents = await session.reader.documents.findAll([...wanted])
  for (const { id } of documents) wanted.delete(id)
  for (const reference of wanted) throw documentNotFound({ reference })
  return documents
}
