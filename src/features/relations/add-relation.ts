import { createDocument } from '../../core/documents/create-document.ts'
import { holdInOrder } from '../../core/documents/hold-in-order.ts'
import { documentNotFound } from '../../core/documents/read-document.ts'
import { requirePermission } from '../../core/permissions.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { findRelation, propertiesOf, relationOf, relationType } from './relation.ts'

/** Two documents and what is between them; whoever says so about the subject must be able to change it. */
export interface Statement {
  readonly subject: Document
  readonly source: Document
  readonly predicate: string
  readonly target: Document
}

/**
 * Relates one document to another. Nothing where they are related so already.
 * @throws privilegeMissing without WriteProperties on the subject, predicateMissing
 */
export async function addRelation(session: WriteSession, { subject, source, predicate, target }: Statement): Promise<void> {
  await requirePermission(session, subject, 'WriteProperties')
  const relation = relationOf(source, predicate, target)
  await holdEnds(session, source, target)
  if ((await findRelation(session, relation)) !== undefined) return
  await createDocument(session.asSystem(), { parent: null, type: relationType, name: '', properties: propertiesOf(relation) })
}

/** Whoever says the same at the same time, or removes one of them, waits. @throws documentNotFound */
async function holdEnds(session: WriteSession, source: Document, target: Document): Promise<void> {
  await holdInOrder(session, [source, target])
  const found = new Set((await session.tx.documents.findAll([source.id, target.id])).map(({ id }) => id))
  for (const { id } of [source, target]) if (!found.has(id)) throw documentNotFound({ reference: id })
}
