import type { Reference } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'

/** How a property names a document: `id` and `path` have the repository before it. */
export type StoredForm = 'id' | 'path' | 'idOnly' | 'pathOnly'

/** Which document a property names, in whichever form. */
export function referenceIn(stored: string): Reference {
  const place = stored.replace(/^[^/:]*:/, '')
  return place.startsWith('/') ? { path: place } : { id: place }
}

/** A document as a property names it. One without a place is named by its id, which is understood in every form. */
export function storedReference(
  { repository, uid, path }: Pick<Document, 'repository' | 'uid' | 'path'>,
  form: StoredForm,
): string {
  const name = form.startsWith('path') ? (path ?? uid) : uid
  return form.endsWith('Only') ? name : `${repository}:${name}`
}
