import type { Document, DocumentId } from '../../model/document.ts'
import type { DocumentReader } from '../documents.ts'

/** Tells whether the database is still what it was: the number changes with every commit, whoever makes it. */
export interface DatabaseVersion {
  version(): number
}

// About 5 KB each.
const mostDocuments = 10_000

/**
 * Keeps documents that were looked up for as long as nothing at all was committed. Between two writes the same folders are
 * read over and over, and reading a row and its JSON is a third of the work of answering with it (measured).
 */
export function keepDocuments(documents: DocumentReader, database: DatabaseVersion): DocumentReader {
  const byId = new Map<DocumentId, Document>()
  const byPath = new Map<string, Document>()
  let keptVersion = -1

  function isCurrent(version: number): boolean {
    if (version === keptVersion) return true
    byId.clear()
    byPath.clear()
    keptVersion = version
    return false
  }

  /** Unless the database changed while the document was on its way. */
  function keep(document: Document | undefined, version: number): Document | undefined {
    if (document === undefined || version !== keptVersion) return document
    if (byId.size >= mostDocuments) forgetOldest()
    byId.set(document.id, document)
    if (document.path !== null) byPath.set(document.path, document)
    return document
  }

  function forgetOldest(): void {
    for (const [id, { path }] of byId) {
      byId.delete(id)
      if (path !== null) byPath.delete(path)
      return
    }
  }

  return {
    ...documents,
    async find(id) {
      const version = database.version()
      const known = isCurrent(version) ? byId.get(id) : undefined
      return known ?? keep(await documents.find(id), version)
    },
    async findByPath(path) {
      const version = database.version()
      const known = isCurrent(version) ? byPath.get(path) : undefined
      return known ?? keep(await documents.findByPath(path), version)
    },
  }
}
