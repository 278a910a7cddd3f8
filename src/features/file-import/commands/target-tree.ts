import { createDocument } from '../../../core/documents/create-document.ts'
import { nameFrom } from '../../../core/documents/name-in-folder.ts'
import { compile, searchDocuments } from '../../../core/search/page/run-query.ts'
import { listed, quoted } from '../../../core/search/query/nxql-text.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { requireAllowed } from '../import-as.ts'
import { importTitle } from '../import-file.ts'

const folderType = 'Folder'

/** The folder of that name in another; the first that was made, when there are several. */
export async function findFolder(session: Session, parent: Document, name: string): Promise<Document | undefined> {
  const [folder] = await listChildren(session, parent, [name], "ecm:mixinType = 'Folderish'")
  return folder
}

/** Documents in a folder that are no folders and have one of the names. */
export function listNamed(session: Session, parent: Document, names: readonly string[]): Promise<readonly Document[]> {
  return listChildren(session, parent, names, "ecm:mixinType <> 'Folderish'")
}

/** @throws typeNotAllowed, privilegeMissing */
export async function createFolder(session: WriteSession, parent: Document, name: string): Promise<Document> {
  requireAllowed(session, folderType, parent)
  const title = importTitle(name)
  const segment = nameFrom(title, session.repository.rules.maxSegmentLength)
  return createDocument(session, { parent, type: folderType, name: segment, properties: { 'dc:title': title } })
}

async function listChildren(
  session: Session,
  parent: Document,
  names: readonly string[],
  condition: string,
): Promise<readonly Document[]> {
  const titles = listed(names.map((name) => quoted(importTitle(name))))
  const query = `SELECT * FROM Document WHERE ecm:parentId = ${quoted(parent.id)} AND dc:title IN ${titles}
                   AND ${condition} AND ecm:isTrashed = 0 AND ecm:isProxy = 0`
  return (await searchDocuments(session, compile(session, query), { offset: 0 })).documents
}
