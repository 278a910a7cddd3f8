import { randomDecimal } from '../../base/ids.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { nameFrom } from '../../core/documents/name-in-folder.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { offeredSubtypes } from '../../model/document-type.ts'
import { listExisting } from './existing-children.ts'
import { requireAllowed } from './import-as.ts'
import { type FileImport, importTitle, readFolder } from './import-file.ts'

export interface FolderImport extends FileImport {
  readonly title: string
}

/** What a folder is, whatever the place: the first of these that it holds. */
const folderTypes = ['Folder', 'Workspace', 'Section']

/**
 * Makes a folder with a title; with `overwrite` one that is there already serves.
 * @throws privilegeMissing, typeNotAllowed, noFolderToImport
 */
export async function createFolder(session: WriteSession, wanted: FolderImport): Promise<Document> {
  const { overwrite = false, propertiesFor = () => ({}) } = wanted
  const place = await readFolder(session, wanted.parent)
  const title = importTitle(wanted.title) || randomDecimal()
  const existing = overwrite ? await findFolder(session, place, title) : undefined
  if (existing !== undefined) return reuse(session, existing, wanted)
  const type = folderTypeIn(session, place)
  requireAllowed(session, type, place)
  const properties = async (empty: Document) => ({ 'dc:title': title, ...(await propertiesFor(empty)) })
  return createDocument(session, {
    parent: place,
    type,
    name: nameFrom(title, session.repository.rules.maxSegmentLength),
    properties,
  })
}

async function findFolder(session: WriteSession, place: Document, title: string): Promise<Document | undefined> {
  const titled = await listExisting(session, place, 'title', title)
  return titled.find((document) => session.model.shapeOf(document).hasFacet('Folderish'))
}

async function reuse(session: WriteSession, folder: Document, { propertiesFor }: FolderImport): Promise<Document> {
  const changes = (await propertiesFor?.(folder)) ?? {}
  return Object.keys(changes).length === 0 ? folder : saveDocument(session, folder.id, changes)
}

function folderTypeIn({ model }: WriteSession, place: Document): string {
  const folderType = model.types.get(place.type)
  const offered = folderType === undefined ? [] : offeredSubtypes(folderType)
  return folderTypes.find((type) => offered.includes(type)) ?? 'Folder'
}
