import { defineProblem } from '../../base/problem.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { ownFacets } from '../../model/own-facets.ts'
import { changedNames, type Properties } from '../../model/properties/property.ts'
import { sanitised } from '../../model/properties/value-bounds.ts'
import type { Acl } from '../../model/rights/acl.ts'
import { announce, offer } from '../event.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { firstAcls, insertAt } from './create-document.ts'
import { emptyDocument } from './empty-document.ts'
import { readFolderForInsert } from './folder-for-insert.ts'
import { aboutDestination, findDestination, nameAfterOffer } from './place/destination.ts'
import { requireValid, withCleanHtml } from './require-valid.ts'

/** A document that existed elsewhere and comes with its identity. */
export interface ImportedDocument {
  readonly id: DocumentId
  /** As read in the session's own transaction; null for a document without a place. */
  readonly parent: Document | null
  readonly type: string
  readonly name: string
  readonly facets?: readonly string[]
  readonly acls?: readonly Acl[]
  readonly properties: Properties
  /** What it had come to where it was. */
  readonly history?: Partial<Pick<Document, 'isTrashed' | 'majorVersion' | 'minorVersion' | 'lock'>>
  readonly options?: SaveOptions
}

export const importDenied = defineProblem(
  'importDenied',
  'forbidden',
  (of: { principal: string }) =>
    `Only administrators may import a document under an id of its own, and '${of.principal}' is none`,
)

export const unusableId = defineProblem(
  'unusableId',
  'invalid',
  (of: { id: string }) =>
    `A document cannot have the id ${JSON.stringify(of.id)}: it takes 1 to 100 letters, digits, '-' and '_'.`,
)

/** What can stand in an address as it is, and in a list of ids. */
const usableId = /^[\w-]{1,100}$/

export const idTaken = defineProblem(
  'idTaken',
  'conflict',
  (of: { id: string }) => `There is a document ${of.id} already. Remove it, or import under another id.`,
)

/** Puts a document into the repository under the id it already has. It is not stamped, and only what came with it is checked. */
export async function importDocument(session: WriteSession, imported: ImportedDocument): Promise<Document> {
  const options = imported.options ?? {}
  if (!session.principal.isAdministrator) throw importDenied({ principal: session.principal.name })
  if (!usableId.test(imported.id)) throw unusableId({ id: imported.id })
  if ((await session.tx.documents.find(imported.id)) !== undefined) throw idTaken({ id: imported.id })
  const folder = imported.parent === null ? null : await readFolderForInsert(session, imported.parent)
  const draft = draftImport(session, imported)
  const destination = await findDestination(session, folder, imported.name, options)
  const about = { properties: aboutDestination(destination), options }
  const offered = await withCleanHtml(session, await offer(session, 'aboutToImport', { ...draft, name: destination.name }, about))
  const sent = new Set(Object.keys(imported.properties))
  await requireValid(session, offered, options, sent.union(changedNames(draft.properties, offered.properties)))
  const { name, asked } = nameAfterOffer(destination, offered)
  const stored = await insertAt(session, folder, { ...offered, name }, asked)
  await announce(session, 'documentImported', stored, { properties: aboutDestination(destination, stored.name), options })
  return stored
}

function draftImport(session: WriteSession, imported: ImportedDocument): Document {
  const { id, parent, type, name, facets = [], acls, history, options } = imported
  const empty = emptyDocument(session.model, {
    repository: session.repository.name,
    id,
    type,
    name,
    parent: parent ?? undefined,
    ...(options?.initialState !== undefined && { initialState: options.initialState }),
  })
  const properties = sanitised({ ...empty.properties, ...imported.properties }) as Properties
  return { ...empty, ...history, facets: ownFacets(session.model, type, facets), acls: firstAcls(session, acls), properties }
}
