import { queryOptions } from '@tanstack/react-query'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import { documentKeys } from '../../api/documents.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { useRelationWords } from './words.ts'

/** What a document has to do with another one. */
export interface Relation {
  /** What it is: an entry of the vocabulary of predicates, or any text. */
  readonly predicate: string
  /** From the document that is looked at to the other one. */
  readonly outgoing: boolean
  readonly document: Document
}

/** All relations of a document, as far as one can see their other ends. */
export function relationsQuery(id: string) {
  return queryOptions({
    queryKey: [...documentKeys.all, 'relations', id] as const,
    queryFn: async ({ signal }): Promise<readonly Relation[]> => {
      const headers = { 'enrichers.document': 'relations', depth: 'children' }
      const { contextParameters } = await call<Document>(`id/${encodeURIComponent(id)}`, { signal, headers })
      return contextParameters?.relations ?? []
    },
  })
}

type Statement = Omit<Relation, 'document'> & { readonly other: Pick<Document, 'uid'> }

/** Operations call the direction by the other document: it is theirs that leads to the one that they are run on. */
const paramsOf = ({ predicate, outgoing, other }: Statement) => ({ object: other.uid, predicate, outgoing: !outgoing })

/** Relates a document to others, and takes that back. */
export function useRelating(id: string) {
  const say = useRelationWords()
  const add = useDocumentChange((statement: Statement) => runOperation('Document.AddRelation', [id], paramsOf(statement)))
  const remove = useDocumentChange((statement: Statement) => runOperation('Document.DeleteRelation', [id], paramsOf(statement)))
  return {
    add,
    remove: ({ predicate, outgoing, document }: Relation) => {
      const statement = { predicate, outgoing, other: document }
      told(remove.mutateAsync(statement), () =>
        tell({
          text: say('unrelated', { title: titleOf(document) }),
          action: { label: say('undo'), run: () => told(add.mutateAsync(statement)) },
        }),
      )
    },
  }
}
