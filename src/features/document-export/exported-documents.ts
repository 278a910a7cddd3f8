import { isSpecial } from '../../core/documents/children.ts'
import { mayRead } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'

/** A document with its place in an archive. */
export interface ExportedDocument {
  readonly document: Document
  /** Of the folders on the way to it, and its own. */
  readonly names: readonly string[]
  /** Of its children that are in the archive, too. */
  readonly childCount: number
}

/** One document, at its path in the repository. */
export function exportedAlone(document: Document): ExportedDocument {
  const names = (document.path ?? document.name).split('/').filter((name) => name !== '')
  return { document, names, childCount: 0 }
}

/**
 * A document and what is below it: folders before their children, in their order. What the caller may not read is not in it, nor what is
 * below that, nor what is in the trash, nor proxies.
 */
export function everyExported(session: Session, root: Document): AsyncGenerator<ExportedDocument> {
  return everyAtAndBelow(session, root, root.name === '' ? [] : [root.name])
}

async function* everyAtAndBelow(
  session: Session,
  document: Document,
  names: readonly string[],
): AsyncGenerator<ExportedDocument> {
  const children = await listExportedIds(session, document)
  yield { document, names, childCount: children.length }
  for (const id of children) {
    const child = await session.reader.documents.find(id)
    // It may have gone or changed since it was listed.
    if (child === undefined || !(await isExported(session, child))) continue
    yield* everyAtAndBelow(session, child, [...names, child.name])
  }
}

const lookedUpAtOnce = 200

/** Ids and not documents: a folder may have very many, and they are in memory until the last of them is written. */
async function listExportedIds(session: Session, folder: Document): Promise<readonly DocumentId[]> {
  const { documents } = session.reader
  const ids = await documents.listChildIds(folder.id)
  const exported: DocumentId[] = []
  for (let start = 0; start < ids.length; start += lookedUpAtOnce) {
    for (const child of await documents.findAll(ids.slice(start, start + lookedUpAtOnce))) {
      if (await isExported(session, child)) exported.push(child.id)
    }
  }
  return exported
}

async function isExported(session: Session, document: Document): Promise<boolean> {
  if (document.isTrashed || document.isProxy || isSpecial(session.model, document)) return false
  return mayRead(session, document)
}
