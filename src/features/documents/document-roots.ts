import { documentNotFound, readDocument, readDocumentByPath } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Segment } from '../../rest/request/url-path.ts'
import type { ResourceRoot } from '../../rest/resource.ts'
import { documentMethods } from './document-methods.ts'

/** `/id/{docId}`, and below it `/id/{docId}/child/grandchild`. */
export const documentById: ResourceRoot = {
  segment: 'id',
  template: '/id/{docId}',
  summary: 'A document by its id; names of children may follow',
  yields: 'document',
  resolve: async (session, own, [id, ...names]) => {
    if (id === undefined) throw documentNotFound({ reference: `/${own.text}` })
    const document = await readDocument(session, id.text)
    return { kind: 'document', document: names.length === 0 ? document : await readBelow(session, document, names) }
  },
  methods: documentMethods,
}

/** `/path/default-domain/workspaces`; `/path/` is the root of the repository. */
export const documentByPath: ResourceRoot = {
  segment: 'path',
  template: '/path/{docPath}',
  summary: 'A document by its path',
  yields: 'document',
  resolve: async (session, _own, names) => ({ kind: 'document', document: await readDocumentByPath(session, pathOf(names)) }),
  methods: documentMethods,
}

const isPlain = /^(?:\/[\x20-\x2e\x30-\x7e]+)*$/

/** No name holds a slash, so an encoded one separates names like any other. */
function pathOf(names: readonly Segment[]): string {
  const path = `/${names.map((name) => name.text).join('/')}`
  // As good as all paths are in order already; taking each apart and normalising it cost 10 µs.
  return isPlain.test(path)
    ? path
    : `/${path
        .normalize('NFC')
        .split('/')
        .filter((step) => step !== '')
        .join('/')}`
}

async function readBelow(session: Session, document: Document, names: readonly Segment[]): Promise<Document> {
  const below = pathOf(names)
  // Versions and placeless documents are nowhere in the tree, so nothing is below them.
  if (document.path === null) throw documentNotFound({ reference: below })
  return readDocumentByPath(session, document.path === '/' ? below : document.path + below)
}
