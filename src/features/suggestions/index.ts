import type { OperationServices } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { optional } from '../../automation/parameter.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import { markedFragments } from '../../core/search/marked-text.ts'
import { documentsWhere, hasPlace, notTrashed, notVersion, titleHint, visible } from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { runProvider } from '../../core/search/providers/run-provider.ts'
import type { Session } from '../../core/session.ts'
import { type Document, titleOf } from '../../model/document.ts'
import type { FulltextTerm } from '../../nxql/fulltext/fulltext-expression.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { searchGroups, searchUsers } from '../people/index.ts'
import { soughtTerms } from '../search/index.ts'

const byTitle = 'DEFAULT_DOCUMENT_SUGGESTION'

const suggestionProviders: readonly PageProvider[] = [
  {
    name: 'default_document_suggestion',
    pattern: documentsWhere("ecm:fulltext LIKE '?*'", visible, notVersion, notTrashed),
    quotesParameters: false,
    takesTypedWords: 'begun',
    pageSize: 5,
    maxResults: 'PAGE_SIZE',
  },
  {
    name: byTitle,
    pattern: documentsWhere(`${titleHint} ecm:fulltext.dc:title LIKE '?'`, visible, notVersion, notTrashed, hasPlace),
    quotesParameters: false,
    takesTypedWords: 'begun',
    pageSize: 10,
    maxResults: 'PAGE_SIZE',
  },
]

/** Documents whose title holds the words, the last one perhaps not to its end. What cannot be searched for finds none. */
async function suggestDocuments(session: Session, term: string): Promise<readonly Suggestion[]> {
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

const maxOfEachKind = 5

/** Users whose name begins with the term; none when there are too many of them to be searched. */
async function suggestUsers(session: Session, services: OperationServices, term: string): Promise<readonly Suggestion[]> {
  const found = await searchUsers(session, services, { term, offset: 0, limit: maxOfEachKind })
  const names = found.kind === 'found' ? found.names : []
  const users = await Promise.all(names.map((name) => services.principals.findUser(name)))
  return users.flatMap((user) => {
    if (user === undefined) return []
    const { firstName, lastName } = user.properties
    const full = [firstName, lastName].filter((part) => typeof part === 'string' && part !== '').join(' ')
    return principalSuggestion('user', user.principal.name, full)
  })
}

/** Groups whose name or label begins with the term. */
async function suggestGroups(session: Session, services: OperationServices, term: string): Promise<readonly Suggestion[]> {
  const { entries } = await searchGroups(session, services, { term, offset: 0, limit: maxOfEachKind })
  return entries.map(({ id, values: { grouplabel } }) =>
    principalSuggestion('group', id, typeof grouplabel === 'string' ? grouplabel : ''),
  )
}

function principalSuggestion(type: 'user' | 'group', id: string, label: string): Suggestion {
  const url = `${type}/${encodeURIComponent(id)}`
  return { id, label: label || id, type, icon: null, thumbnailUrl: null, url, highlights: [] }
}

const suggestersLauncher = defineOperation({
  id: 'Search.SuggestersLauncher',
  category: 'User Interface',
  description: 'Suggests documents, users and groups to somebody who types into a search box.',
  effect: 'reads',
  params: { searchTerm: optional('string', { description: 'What was typed; without it there is nothing to suggest' }) },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, params, context: { services } }) => {
      const term = (params.searchTerm ?? '').trim()
      if (term === '') return jsonBlob([])
      return jsonBlob([
        ...(await suggestDocuments(session, term)),
        ...(await suggestUsers(session, services, term)),
        ...(await suggestGroups(session, services, term)),
      ])
    }),
  ],
})

/** What a search box offers while the user types. */
export default definePlugin({
  name: 'suggestions',
  requires: ['search', 'people'],
  pageProviders: suggestionProviders,
  operations: [suggestersLauncher],
})

/** Something that the user of a search box may mean. */
interface Suggestion {
  readonly id: string
  readonly label: string
  readonly type: 'document' | 'user' | 'group'
  readonly icon: string | null
  /** Like `url`, behind the address of the server. */
  readonly thumbnailUrl: string | null
  readonly url: string
  /** Where the term stands, as HTML with each match in `<em>`. */
  readonly highlights: readonly { readonly field: string; readonly segments: readonly string[] }[]
}
