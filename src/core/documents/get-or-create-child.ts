import type { Document } from '../../model/document.ts'
import { invalidName, requireName } from '../../model/path-segment.ts'
import type { WriteSession } from '../session.ts'
import { createDocument, type NewDocument } from './create-document.ts'
import { documentNotFound, readDocument } from './read-document.ts'

/** The child of that name, made when there is none: of many who ask for it at once, one makes it and all are given it. */
export async function getOrCreateChild(
  session: WriteSession,
  parent: Document,
  name: string,
  make: () => Omit<NewDocument, 'parent' | 'name'>,
): Promise<Document> {
  const wanted = requireName(name)
  if (wanted === '') throw invalidName({ name, reason: 'there would be nothing to find the document by' })
  const { documents } = session.tx
  const existing = await documents.findChild(parent.id, wanted)
  if (existing !== undefined) return readDocument(session, existing.id)
  // Only one transaction at a time finds it missing: one that waited for the lock looks again and sees what the other made.
  const locked = await documents.findForUpdate(parent.id)
  if (locked === undefined) throw documentNotFound({ reference: parent.id })
  const made = await documents.findChild(locked.id, wanted)
  return made === undefined
    ? createDocument(session, { ...make(), parent: locked, name: wanted })
    : readDocument(session, made.id)
}
