import type { Document } from '../../../model/document.ts'
import { joinPath, nameAfterCollision } from '../../../model/path-segment.ts'
import { announce, offer } from '../../event.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { nextPosition } from '../folder-for-insert.ts'
import { freeVariant, givenName } from '../name-in-folder.ts'
import { documentNotFound } from '../read-document.ts'
import { aboutDestination, findDestination, nameAfterOffer } from './destination.ts'

/**
 * Puts the document, and all below it, into a folder under the name or a free variant of it, and gives it as it is then. No
 * permission is checked and no event is announced. The caller has locked the document and the folder.
 */
export async function placeAt(
  session: WriteSession,
  document: Document,
  folder: Document,
  name: string,
  asked = name,
): Promise<Document> {
  const wanted = givenName(name)
  const isElsewhere = folder.id !== document.parentId
  if (!isElsewhere && wanted === document.name) return document
  const position = isElsewhere ? await nextPosition(session, folder) : document.position
  const place = (free: string) => ({ parentId: folder.id, name: free, path: joinPath(folder.path ?? '', free), position })
  for (let to = place(wanted); !(await session.tx.documents.move(document, to)); ) {
    to = place(await freeVariant(session, folder, givenName(asked), nameAfterCollision))
  }
  return readAgain(session, document)
}

/** Puts the document there as `placeAt` does, and tells: listeners of `aboutToMove` may change the name. */
export async function moveTo(
  session: WriteSession,
  document: Document,
  folder: Document,
  name: string,
  options: SaveOptions = {},
): Promise<Document> {
  const destination = await findDestination(session, folder, name, options)
  const details = (given: string) => ({
    options,
    comment: `${session.repository.name}:${document.parentId ?? ''}`,
    properties: {
      sourceRef: document.id,
      ...aboutDestination(destination, given),
      parentPath: document.parentId,
      ...(given !== document.name && { originalName: document.name }),
    },
  })
  const offered = await offer(session, 'aboutToMove', { ...document, name: destination.name }, details(destination.name))
  const { name: given, asked } = nameAfterOffer(destination, offered)
  const moved = await placeAt(session, document, folder, given, asked)
  await announce(session, 'documentMoved', moved, details(moved.name))
  return moved
}

async function readAgain(session: WriteSession, { id }: Document): Promise<Document> {
  const document = await session.tx.documents.find(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  return document
}
