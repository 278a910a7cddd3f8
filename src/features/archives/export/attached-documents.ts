import { ancestorPaths } from '../../../core/documents/ancestors.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { SnapshotDocuments } from '../../../store/snapshot.ts'
import { type DocumentLine, endsOfRelations, isPlaceOfAttached, type LinePart, listsOfSubjects } from '../format/document-line.ts'
import type { TreeScope } from './tree-scope.ts'

/** What is about documents of the tree and lies elsewhere, with all that is in it and the folders on the way to it. */
export async function* everyAttached(documents: SnapshotDocuments, scope: TreeScope): AsyncGenerator<readonly DocumentLine[]> {
  const { root } = scope
  if (root.path === null) return
  // As many as there are tasks, workflows and relations of the tree.
  const written = new Set<DocumentId>()
  const fresh = (found: readonly Document[], part: LinePart): readonly DocumentLine[] => {
    const some = found.filter((one) => !scope.has(one) && !written.has(one.id))
    for (const { id } of some) written.add(id)
    return some.map((document) => ({ document, part }))
  }
  for (const property of listsOfSubjects) {
    for (const subject of await documents.listNaming(property, root)) {
      if (scope.has(subject) || written.has(subject.id) || subject.path === null || !isPlaceOfAttached(subject.path)) continue
      yield fresh(await documents.findAllByPath(ancestorPaths(subject.path)), 'place')
      yield fresh([subject, ...(await listAllBelow(documents, subject.path))], 'attached')
    }
  }
  for (const property of endsOfRelations) yield fresh(await documents.listPlacelessNaming(property, root.path), 'attached')
}

const atOnce = 200

/** Of a task nothing, of a workflow its nodes. */
async function listAllBelow(documents: SnapshotDocuments, path: string): Promise<readonly Document[]> {
  const found: Document[] = []
  for (let after: string | undefined; ; ) {
    const page = await documents.listBelow(path, after, atOnce)
    found.push(...page)
    const last = page.at(-1)?.path
    if (last === undefined || last === null || page.length < atOnce) return found
    after = last
  }
}
