import { defineOperation, type Operation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { lockRowsInOrder } from '../../core/documents/lock-rows-in-order.ts'
import { documentNotFound } from '../../core/documents/read-document.ts'
import { removeIfStill } from '../../core/documents/remove-document.ts'
import { hasPermission, requirePermission } from '../../core/permissions.ts'
import { throughProxies } from '../../core/search/page/through-proxies.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type End, findRelation, listEnds, propertiesOf, relationOf } from './relation.ts'
import { relationType } from './relation-model.ts'

const relatedAtOnce = 50

/** The documents to which the document is related so, as far as the caller may read them; page by page. @throws documentsTooLarge */
async function* everyRelated(
  session: Session,
  document: Document,
  { predicate, at }: { readonly predicate: string; readonly at: End },
): AsyncGenerator<readonly Document[]> {
  const ids = await listEnds(session, at, document.id, predicate)
  const { maxListedBytes } = session.repository.rules
  for (let start = 0; start < ids.length; start += relatedAtOnce) {
    const readable: Document[] = []
    for (const related of await session.reader.documents.findAll(ids.slice(start, start + relatedAtOnce), maxListedBytes)) {
      if (await hasPermission(session, related, 'Read')) readable.push(related)
    }
    yield await throughProxies(session, readable, maxListedBytes)
  }
}

const predicate = required('string', { description: 'What the relation is: a URI, or any text' })

const defaultGraph = 'default'

const graphNotFound = defineProblem(
  'graphNotFound',
  'notFound',
  (of: { name: string }) => `There is no graph ${of.name}, only ${defaultGraph}.`,
)

const getLinkedDocuments = defineOperation({
  id: 'Document.GetLinkedDocuments',
  aliases: ['Relations.GetRelations'],
  category: 'Services',
  description: 'Gives the documents that are in a relation to the document.',
  effect: 'reads',
  params: {
    predicate,
    outgoing: defaulted('boolean', true, { description: 'Those it is related to; false: those that are related to it' }),
    graphName: optional('string', { description: 'There is one, default' }),
  },
  run: ({ on }) => [
    on('document', 'documents', (document, { session, context, params: { predicate, outgoing, graphName = '' } }) => {
      if (graphName !== '' && graphName !== defaultGraph) throw graphNotFound({ name: graphName })
      return context.budget.gather(everyRelated(session, document, { predicate, at: outgoing ? 'source' : 'target' }))
    }),
  ],
})

type About = Pick<Operation, 'id' | 'aliases' | 'description'>

/** An operation that does something to the relation between its input and the `object`. */
function onRelation(about: About, change: (session: WriteSession, statement: Statement) => Promise<void>): Operation {
  return defineOperation({
    ...about,
    category: 'Services',
    effect: 'writes',
    params: {
      object: required('document', { description: 'The other document' }),
      predicate,
      outgoing: defaulted('boolean', false, { description: 'The relation leads from the object to the input' }),
    },
    run: ({ each }) => [
      each('document', 'document', async (subject, { session, params: { object, predicate, outgoing } }) => {
        const [source, target] = outgoing ? [object, subject] : [subject, object]
        await change(session, { subject, source, predicate, target })
        return subject
      }),
    ],
  })
}

export const relationOperations: readonly Operation[] = [
  getLinkedDocuments,
  onRelation(
    {
      id: 'Document.AddRelation',
      aliases: ['Relations.CreateRelation'],
      description: 'Relates the document to another; nothing where it is so already.',
    },
    addRelation,
  ),
  onRelation(
    {
      id: 'Document.DeleteRelation',
      aliases: ['Relations.DeleteRelation'],
      description: 'Takes back the relation of the document to another; nothing where there is none.',
    },
    deleteRelation,
  ),
]

/** Takes a relation back. Nothing where there is none. @throws privilegeMissing without WriteProperties on the subject */
async function deleteRelation(session: WriteSession, { subject, source, predicate, target }: Statement): Promise<void> {
  await requirePermission(session, subject, 'WriteProperties')
  const found = await findRelation(session, relationOf(source, predicate, target))
  if (found !== undefined) await removeIfStill(session.asSystem(), found.id)
}

/** Two documents and what is between them; relating the subject takes the right to change it. */
interface Statement {
  readonly subject: Document
  readonly source: Document
  readonly predicate: string
  readonly target: Document
}

/**
 * Relates one document to another. Nothing where they are related so already.
 * @throws privilegeMissing without WriteProperties on the subject, predicateMissing
 */
async function addRelation(session: WriteSession, { subject, source, predicate, target }: Statement): Promise<void> {
  await requirePermission(session, subject, 'WriteProperties')
  const relation = relationOf(source, predicate, target)
  await lockEnds(session, source, target)
  if ((await findRelation(session, relation)) !== undefined) return
  await createDocument(session.asSystem(), { parent: null, type: relationType, name: '', properties: propertiesOf(relation) })
}

/** Another transaction that adds the same relation, or removes one of the documents, waits. @throws documentNotFound */
async function lockEnds(session: WriteSession, source: Document, target: Document): Promise<void> {
  await lockRowsInOrder(session, [source, target])
  const found = new Set((await session.tx.documents.findAll([source.id, target.id])).map(({ id }) => id))
  for (const { id } of [source, target]) if (!found.has(id)) throw documentNotFound({ reference: id })
}
