import { defineProblem } from '../../base/problem.ts'
import type { DocumentEvent, InlineListener, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { membershipsProperty, membersProperty } from './collection-model.ts'
import { collectionIds, membersOf } from './membership.ts'

export const membershipNotWritten = defineProblem(
  'membershipNotWritten',
  'forbidden',
  (of: { property: string }) =>
    `${of.property} is not written directly: what a collection lists and what its members say belong together. Use Document.AddToCollection, Collection.RemoveFromCollection or the operations for favorites.`,
)

/**
 * Which collections a document is in is data of the document, which whoever may write it could change: nobody puts something into a
 * collection of others that way, or takes it out. A collection lists as new only what says that it is in it, and drops only what says so
 * no more, so that whoever asks either of them is told the same. Order is free.
 */
export const guardMembership: InlineListener = {
  name: 'guardMembership',
  when: 'inline',
  events: ['aboutToCreate', 'aboutToImport', 'beforeDocumentModification'],
  order: 100,
  changes: ({ name }) => name === membershipsProperty || name === membersProperty,
  handle(event, session) {
    if (session.principal.isAdministrator) return undefined
    const { document } = event
    const before = documentBefore(event)
    const memberships = changeOf(before, document, collectionIds)
    if (memberships.size > 0) throw membershipNotWritten({ property: membershipsProperty })
    const members = changeOf(before, document, membersOf)
    return members.size > 0 ? requireAgreed(session, document, members) : undefined
  },
}

async function requireAgreed(session: WriteSession, collection: Document, changed: ReadonlySet<DocumentId>): Promise<void> {
  if (!(await isAgreed(session, collection, changed))) throw membershipNotWritten({ property: membersProperty })
}

function documentBefore({ properties }: DocumentEvent): Document | undefined {
  return properties['previousDocumentModel'] as Document | undefined
}

/** What is in one of both alone. */
function changeOf(
  before: Document | undefined,
  after: Document,
  idsOf: (document: Document) => readonly DocumentId[],
): ReadonlySet<DocumentId> {
  const [old, now] = [before === undefined ? [] : idsOf(before), idsOf(after)]
  // Most documents are in no collection and are none.
  return old.length === 0 && now.length === 0 ? none : new Set(old).symmetricDifference(new Set(now))
}

const none: ReadonlySet<DocumentId> = new Set()

const askedAtOnce = 100

/** Whether those that are listed now, or no longer, say the same of themselves. What is gone says nothing. */
async function isAgreed({ tx }: WriteSession, collection: Document, changed: ReadonlySet<DocumentId>): Promise<boolean> {
  const listed = new Set(membersOf(collection))
  const ids = [...changed]
  for (let start = 0; start < ids.length; start += askedAtOnce) {
    const page = ids.slice(start, start + askedAtOnce)
    const members = (await tx.documents.findAll(page)).filter((member) => collectionIds(member).includes(collection.id))
    const claiming = new Set(members.map(({ id }) => id))
    if (page.some((id) => listed.has(id) !== claiming.has(id))) return false
  }
  return true
}
