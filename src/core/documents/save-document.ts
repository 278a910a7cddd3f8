import type { Document } from '../../model/document.ts'
import type { Properties } from '../../model/property.ts'
import { requirePermission } from '../permissions.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { holdStored } from './hold-for-change.ts'
import { saveThroughProxy } from './proxies/save-proxy.ts'
import { saveStored } from './save-stored.ts'

/** The new values by property name, made from the document as it is now. Null unsets; what is absent stays. */
export type Changes = Properties | ((current: Document) => Properties)

/** Writes changed properties of a document, versioning it as asked or as the policies say. A proxy is written through. */
export async function saveDocument(
  session: WriteSession,
  id: string,
  changes: Changes,
  options: SaveOptions = {},
): Promise<Document> {
  const document = await holdStored(session, id)
  const changesOf = typeof changes === 'function' ? changes : () => changes
  if (document.isProxy) return saveThroughProxy(session, document, changesOf, options)
  await requirePermission(session, document, 'WriteProperties')
  return saveStored(session, document, changesOf(document), options)
}
