import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { nameFrom } from '../../core/documents/name-in-folder.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { ImportTarget } from '../../core/file-imports/importer.ts'
import { quoted } from '../../core/search/nxql-text.ts'
import { compile, searchDocuments } from '../../core/search/run-query.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { offeredSubtypes } from '../../model/document-type.ts'
import type { Properties } from '../../model/property.ts'

/** By what an earlier document of the same file is known. */
export type ExistingBy = 'title' | 'fileName'

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
    `The file would become a document of type ${of.type}, and ${of.path} of type ${of.folder} holds none. Choose another folder.`,
)

/**
 * Makes a document of the type with the content, or gives that to the one which is there already when the target says so.
 * @throws typeNotAllowed, privilegeMissing
 */
export async function importAs(session: WriteSession, target: ImportTarget, imported: ImportedContent): Promise<Document> {
  const existing = target.overwrite ? await findExisting(session, target, imported) : undefined
  const { content, type } = imported
  const { folder, title, options } = target
  const properties = { ...content, ...target.properties }
  if (existing !== undefined) return saveDocument(session, existing.id, properties, options)
  requireAllowed(session, type, folder)
  const name = nameFrom(title, session.repository.rules.maxSegmentLength)
  return createDocument(session, { parent: folder, type, name, properties: { 'dc:title': title, ...properties }, options })
}

/** The first child that was made that can hold the content. */
async function findExisting(
  session: WriteSession,
  { folder, title, fileName }: ImportTarget,
  { existing, content }: ImportedContent,
): Promise<Document | undefined> {
  const isSame = existing === 'title' ? `dc:title = ${quoted(title)}` : `file:content/name = ${quoted(fileName)}`
  const query = `SELECT * FROM Document WHERE ecm:parentId = ${quoted(folder.id)} AND ${isSame} AND ecm:isTrashed = 0 AND ecm:isProxy = 0`
  const { documents } = await searchDocuments(session, compile(session, query), { offset: 0 })
  return documents.find((document) => canHold(session, document, content))
}

function canHold({ model }: WriteSession, document: Document, content: Properties): boolean {
  const shape = model.shapeOf(document)
  return !shape.hasFacet('Folderish') && Object.keys(content).every((name) => shape.properties.has(name))
}

/** @throws typeNotAllowed */
export function requireAllowed({ model }: WriteSession, type: string, folder: Document): void {
  const holds = model.types.get(folder.type)
  if (holds === undefined || offeredSubtypes(holds).includes(type)) return
  throw typeNotAllowed({ type, folder: folder.type, path: folder.path ?? folder.id })
}
