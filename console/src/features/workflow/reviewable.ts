import { type Document, isFolder } from '../../api/types.ts'

/** Whether it can be the subject of workflows at all: they are about documents, and versions are over. */
export function isReviewable(document: Document): boolean {
  return !isFolder(document) && !(document.isVersion ?? false) && !(document.isTrashed ?? false)
}
