import type { Operation } from '../../automation/operation.ts'
import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { defineProblem } from '../../base/problem.ts'
import type { WriteSession } from '../../core/session.ts'
import { addRelation, type Statement } from './add-relation.ts'
import { deleteRelation } from './delete-relation.ts'
import { everyRelated } from './list-related.ts'

const predicate = required('string', { description: 'What the relation is: a URI, or any text' })

const defaultGraph = 'default'

export const graphNotFound = defineProblem(
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
