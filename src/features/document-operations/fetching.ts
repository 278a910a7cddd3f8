import { defineOperation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import { defineProblem } from '../../base/problem.ts'
import { findParent } from '../../core/documents/ancestors.ts'
import { everyReadableChild, readChild } from '../../core/documents/children.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { documentsWhere } from '../../core/search/providers/conditions.ts'
import { listed, quoted } from '../../core/search/query/nxql-text.ts'

export const getDocument = defineOperation({
  id: 'Repository.GetDocument',
  aliases: ['Document.Fetch'],
  category: 'Fetch',
  description: 'Gives the document with an id or at a path.',
  effect: 'reads',
  params: { value: required('document', { description: 'An id, a path, or repository:id' }) },
  run: ({ on }) => [on('void', 'document', (_, { params }) => params.value)],
})

export const getChild = defineOperation({
  id: 'Document.GetChild',
  category: 'Document',
  description: 'Gives the child of a name.',
  effect: 'reads',
  params: { name: required('string', { description: 'Exactly as it is written in the path' }) },
  run: ({ each }) => [each('document', 'document', (folder, { session, params }) => readChild(session, folder, params.name))],
})

export const getChildren = defineOperation({
  id: 'Document.GetChildren',
  category: 'Document',
  description: 'Gives all children that the caller may read, those in the trash and hidden ones too.',
  effect: 'reads',
  params: {},
  run: ({ each }) => [
    each('document', 'documents', (folder, { session, context }) => context.budget.gather(everyReadableChild(session, folder))),
  ],
})

export const getParent = defineOperation({
  id: 'Document.GetParent',
  category: 'Document',
  description: 'Gives what the document is in, or the nearest ancestor of a type.',
  effect: 'reads',
  params: { type: optional('string', { description: 'A document type; absent, the parent itself is given' }) },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params }) => findParent(session, document, params.type)),
  ],
})

export const fetchByProperty = defineOperation({
  id: 'Document.FetchByProperty',
  category: 'Fetch',
  description: 'Gives all documents whose property has one of the values.',
  effect: 'reads',
  params: {
    property: required('string', { description: 'As in a query: dc:title, ecm:primaryType' }),
    values: required('stringlist'),
    query: optional('string', { description: 'A condition in NXQL that they must meet too' }),
  },
  run: ({ on }) => [
    on('void', 'documents', async (_, { session, params }) => {
      const { property, values, query } = params
      if (values.length === 0) return []
      const condition = `${property} ${among(values)}${query === undefined ? '' : ` AND (${query})`}`
      const { searchRules, rules } = session.repository
      const { maxPageSize: max } = searchRules
      const window = { offset: 0, limit: max + 1, countLimit: max, maxBytes: rules.maxListedBytes }
      const { documents } = await searchDocuments(session, compile(session, documentsWhere(condition)), window)
      if (documents.length > max) throw tooManyToFetch({ max })
      return documents
    }),
  ],
})

export const tooManyToFetch = defineProblem(
  'tooManyToFetch',
  'invalid',
  (of: { max: number }) =>
    `More than ${of.max} documents have one of the values. Narrow them down by a condition, or ask page by page with Repository.Query.`,
)

function among(values: readonly string[]): string {
  const literals = values.map(quoted)
  return literals.length === 1 ? `= ${literals[0]}` : `IN ${listed(literals)}`
}
