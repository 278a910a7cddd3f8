import type { AnswerBody } from '../../src/testing.ts'
import type { ServerFacts } from './requests.ts'
import type { VisibleDocument } from './world.ts'

/**
 * Page providers and operations that a server has, but for those that answer with chance or with the time.
 * @param registry what the server tells of its operations
 */
export function factsOf(registry: AnswerBody): ServerFacts {
  const operations = (registry.operations as { id: string; category: string; params: { name: string }[] }[])
    .filter(({ id }) =>
      /Fetch|^Document\.Get|^Document\.Query|Repository|Suggest|^Document\.Has|Parent|Export|^Directory|^User|Audit/i.test(id),
    )
    .filter(({ id }) => !/Create|Update|Delete|Set|Invite|ExportToFS|ResultSetQuery|Run/i.test(id))
    .map(({ id, params }) => ({ id, params: params.map(({ name }) => name) }))
  const providers = [
    'default_search',
    'simple_search',
    'default_trash_search',
    'expired_search',
    'assets_search',
    'nxql_search',
    'CURRENT_DOC_CHILDREN',
    'advanced_document_content',
    'tree_children',
    'folder_picker',
    'domain_documents',
    'all_collections',
    'default_collection',
    'user_collections',
    'document_picker',
    'DEFAULT_DOCUMENT_SUGGESTION',
    'all_documents_suggestion',
    'user_documents',
    'user_workspaces',
    'user_shared_documents',
    'user_deleted_documents',
    'user_favorites',
    'GET_COMMENTS_FOR_DOCUMENT',
    'GET_COMMENTS_FOR_DOCUMENTS_BY_COMMENT_ANCESTOR',
    'GET_COMMENT_AS_EXTERNAL_ENTITY',
    'GET_ANNOTATION_AS_EXTERNAL_ENTITY',
    'VERSIONS',
    'PUBLISHED_SECTIONS',
    'document_trash_content',
    'PERMISSIONS_SEARCH',
  ]
  return { operations, providers }
}

// What is said of the connection and the moment, and lengths that go with what is made alike below.
export const passing = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expires'])

/** The text with the ids and paths of the documents that it names by number. */
export function named(documents: readonly VisibleDocument[], text: string, encode: (text: string) => string): string {
  return text
    .replace(/(?:\{|%7B)path(?: |%20|\+)(\d+)(?:\}|%7D)/g, (_, number) => {
      const path = documents[Number(number)]?.path ?? ''
      return encode === encodeURIComponent ? path.split('/').map(encode).join('/') : path
    })
    .replace(/(?:\{|%7B)(\d+)(?:\}|%7D)/g, (_, number) => documents[Number(number)]?.id ?? '')
}

// Of an archive its documents: moments and checksums are all over it.
const archived = /\w[\w.-]*(?:\/[\w.-]+)*\/document\.xml/g

export function pretty(text: string): string {
  if (text.startsWith('PK')) return [...new Set(text.match(archived))].sort().join('\n')
  try {
    return JSON.stringify(JSON.parse(text, unnumbered), undefined, 1)
  } catch {
    return text
  }
}

/** Rows of the audit log are numbered through, whoever may read them. */
function unnumbered(_: string, value: AnswerBody): AnswerBody {
  return value?.['entity-type'] === 'logEntry' ? { ...value, id: 0 } : value
}

/** Where two texts part. */
export function partingOf(one: string, other: string, names = ['without', '   with']): string {
  const [left, right] = [one.split('\n'), other.split('\n')]
  const at = left.findIndex((line, index) => line !== right[index])
  const place = at < 0 ? left.length : at
  return `${names[0]}: ${left
    .slice(place, place + 3)
    .join(' ')
    .slice(0, 300)}\n${names[1]}: ${right
    .slice(place, place + 3)
    .join(' ')
    .slice(0, 300)}`
}
