import { queryOptions } from '@tanstack/react-query'
import { runOperation } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import { documentKeys, queryDocuments, quote } from '../../api/documents.ts'
import { type Document, type DocumentPage, propertyOf } from '../../api/types.ts'

const publicationsAtOnce = 100

/** Everywhere that a version or a rendition of the document is shown, as far as one can see it. */
export function publicationsQuery(id: string) {
  const shows = `(ecm:proxyVersionableId = ${quote(id)} OR rend:sourceVersionableId = ${quote(id)})`
  return queryOptions({
    queryKey: [...documentKeys.all, 'publications', id] as const,
    queryFn: ({ signal }) =>
      call<DocumentPage>('search/lang/NXQL/execute', {
        signal,
        query: {
          query: `SELECT * FROM Document WHERE ecm:isProxy = 1 AND ecm:isTrashed = 0 AND ${shows} ORDER BY ecm:path`,
          pageSize: publicationsAtOnce,
        },
        headers: {
          properties: 'dublincore,rendition',
          'fetch.document': 'versionLabel',
          'enrichers.document': 'permissions,breadcrumb',
        },
      }),
  })
}

const sectionsAtOnce = 50

/** Where one could publish, and whether one may. */
export function sectionsQuery(term: string) {
  const named = term === '' ? '' : ` AND dc:title ILIKE ${quote(`%${term.replaceAll(/[\\%_]/g, '\\$&')}%`)}`
  return queryOptions({
    queryKey: [...documentKeys.all, 'sections', term] as const,
    queryFn: ({ signal }) =>
      queryDocuments(`SELECT * FROM Document WHERE ${sectionsCondition}${named} ORDER BY ecm:path`, {
        pageSize: sectionsAtOnce,
        signal,
        enrichers: ['permissions', 'breadcrumb'],
      }),
  })
}

export const sectionsCondition = "ecm:mixinType = 'PublishSpace' AND ecm:isVersion = 0 AND ecm:isTrashed = 0 AND ecm:isProxy = 0"

export interface Publishing {
  readonly id: string
  readonly sectionIds: readonly string[]
  /** Instead of the document itself. */
  readonly rendition?: string
}

/** What is published in a section already is replaced. @throws Problem */
export async function publish({ id, sectionIds, rendition }: Publishing): Promise<void> {
  for (const target of sectionIds) {
    await runOperation('Document.PublishToSection', [id], { target, ...(rendition && { renditionName: rendition }) })
  }
}

/** Whether a publication shows what the document is now. */
export function isUpToDate(document: Document, publication: Document): boolean {
  if (document.isCheckedOut) return false
  const shown = propertyOf(publication, 'rend:sourceId') ?? publication.proxyTargetId
  return shown === document.contextParameters?.version?.baseId
}

/** What the section is called that a publication is in. */
export function sectionOf({ contextParameters, path }: Document): string {
  const above = contextParameters?.breadcrumb?.entries ?? []
  return above.at(-2)?.title ?? (path ?? '').split('/').at(-2) ?? ''
}
