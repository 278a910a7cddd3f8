import type { Document } from '../../model/document.ts'
import type { Properties } from '../../model/properties/property.ts'
import { requirePermission } from '../permissions.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { saveThroughProxy } from './proxies/save-proxy.ts'
import { readStoredForUpdate } from './read-for-update.ts'
import { type ChangedContent, saveStored } from './save-stored.ts'

/** The new values by property name, made from the document as it is now. Null unsets; what is absent stays. */
export type PropertyChanges = Properties | ((current: Document) => Properties)

/** Writes changed properties of a document, versioning it as asked or as the policies say. A proxy is written through. */
export function saveDocument(
  session: WriteSession,
  id: string,
  changes: PropertyChanges,
  options: SaveOptions = {},
): Promise<Document> {
  return saveContent(session, id, (current) => ({ properties: changesFor(current, changes) }), options)
}

/** The same where the facets that are the document's own may change too. */
export async function saveContent(
  session: WriteSession,
  id: string,
  contentFor: (current: Document) => ChangedContent,
  options: SaveOptions = {},
): Promise<Document> {
  const document = await readStoredForUpdate(session, id)
  if (document.isProxy) return saveThroughProxy(session, document, contentFor, options)
  await requirePermission(session, document, 'WriteProperties')
  return saveStored(session, document, contentFor(document), options)
}

export function changesFor(current: Document, changes: PropertyChanges): Properties {
  return typeof changes === 'function' ? changes(current) : changes
}
