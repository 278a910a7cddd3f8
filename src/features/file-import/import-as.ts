import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { nameFrom } from '../../core/documents/name-in-folder.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { ImportTarget } from '../../core/file-imports/importer.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { offeredSubtypes } from '../../model/document-type.ts'
import type { Properties } from '../../model/properties/property.ts'
import { type ExistingBy, listExisting } from './existing-children.ts'

export interface ImportedContent {
  /** Of the document, when it is made. */
  readonly type: string
  /** What the file is in the document. */
  readonly content: Properties
  readonly existing: ExistingBy
}

export const typeNotAllowed = defineProblem(
  'typeNotAllowed',
  'invalid',
  (of: { type: string; folder: string; path: string }) =>
    `It would become a document of type ${of.type}, and ${of.path} of type ${of.folder} holds none. Choose another folder.`,
)

/**
 * Makes a document of the type with the content, or gives that to the one which is there already when the target says so.
 * @throws typeNotAllowed, privilegeMissing
 */
export async function importAs(session: WriteSession, target: ImportTarget, imported: ImportedContent): Promise<Document> {
  const existing = target.overwrite ? await findExisting(session, target, imported) : undefined
  const { content, type } = imported
  const { folder, title, options } = target
  const propertiesFor = async (document: Document) => ({ ...content, ...(await target.propertiesFor(document)) })
  if (existing !== undefined) return saveDocument(session, existing.id, await propertiesFor(existing), options)
  requireAllowed(session, type, folder)
  const name = nameFrom(title, session.repository.rules.maxSegmentLength)
  const properties = async (empty: Document) => ({ 'dc:title': title, ...(await propertiesFor(empty)) })
  return createDocument(session, { parent: folder, type, name, properties, options })
}

/** The first child that was made that can hold the content. */
async function findExisting(
  session: WriteSession,
  { folder, title, fileName }: ImportTarget,
  { existing, content }: ImportedContent,
): Promise<Document | undefined> {
  const documents = await listExisting(session, folder, existing, existing === 'title' ? title : fileName)
  return documents.find((document) => canContain(session, document, content))
}

function canContain({ model }: WriteSession, document: Document, content: Properties): boolean {
  const shape = model.shapeOf(document)
  return !shape.hasFacet('Folderish') && Object.keys(content).every((name) => shape.properties.has(name))
}

/** @throws typeNotAllowed */
export function requireAllowed({ model }: WriteSession, type: string, folder: Document): void {
  const folderType = model.types.get(folder.type)
  if (folderType === undefined || offeredSubtypes(folderType).includes(type)) return
  throw typeNotAllowed({ type, folder: folder.type, path: folder.path ?? folder.id })
}
