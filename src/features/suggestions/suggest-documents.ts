import { markedFragments } from '../../core/search/marked-text.ts'
import { runProvider } from '../../core/search/run-provider.ts'
import type { Session } from '../../core/session.ts'
import { type Document, titleOf } from '../../model/document.ts'
import type { FulltextTerm } from '../../nxql/fulltext-expression.ts'
import { soughtTerms } from '../search/index.ts'
import type { Suggestion } from './suggestion.ts'

const byTitle = 'DEFAULT_DOCUMENT_SUGGESTION'

/** Documents whose title holds the words, the last one perhaps not to its end. What cannot be searched for finds none. */
export async function suggestDocuments(session: Session, term: string): Promise<readonly Suggestion[]> {
  const provider = session.repository.pageProviders.find(byTitle)
  if (provider === undefined) return []
  const { documents, query } = await runProvider(session, provider, { parameters: [term] })
  const terms = query === undefined ? [] : soughtTerms(query.where)
  return documents.map((document) => suggestionOf(document, terms))
}

function suggestionOf(document: Document, terms: readonly FulltextTerm[]): Suggestion {
  const { id, repository, properties } = document
  const label = titleOf(document)
  const icon = properties['common:icon']
  const segments = markedFragments(label, terms)
  return {
    id,
    label,
    type: 'document',
    icon: typeof icon === 'string' ? icon : null,
    thumbnailUrl: `api/v1/repo/${repository}/id/${id}/@rendition/thumbnail`,
    url: `nxdoc/${repository}/${id}`,
    highlights: segments.length === 0 ? [] : [{ field: 'dc:title.fulltext', segments }],
  }
}
