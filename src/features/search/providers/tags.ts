import type { PageProvider } from '../../../core/search/page-provider.ts'

/** Tags are everybody's, so they are found on documents that the caller cannot see. */
function tagRows(name: string, pattern: string): PageProvider {
  return { name, kind: 'rows', pattern, isUnrestricted: true }
}

export const tagProviders: readonly PageProvider[] = [
  tagRows('GET_DOCUMENT_IDS_FOR_FACETED_TAG', 'SELECT DISTINCT ecm:uuid FROM Document WHERE nxtag:tags/*/label = ?'),
  tagRows('GET_FACETED_TAG_SUGGESTIONS', 'SELECT DISTINCT nxtag:tags/*1/label FROM Document WHERE nxtag:tags/*1/label LIKE ?'),
]
