import sql, { raw, type Sql } from 'sql-template-tag'
import { textKey } from '../../src/store/sql/documents/property-key.ts'
import { answerTo } from '../http/call.ts'
import { reader } from '../load/people.ts'
import { idOf, someReadableFiles } from '../load/tree.ts'
import type { ServedSite } from '../site.ts'
import type { RateRow } from './rate-row.ts'
import { type Asking, searchRow } from './search-row.ts'

const [pageSize, taggedFiles, labels, members] = [50, 200, 8, 10_000]

// What there is none of in a filled repository is made first, by the reader, through operations.
async function run<Result>({ server }: ServedSite, id: string, input: unknown, params: object): Promise<Result> {
  const body = JSON.stringify({ ...(input !== undefined && { input }), params, context: {} })
  const answer = await answerTo({ method: 'POST', path: `/api/v1/automation/${id}`, user: reader.name, body }, server.target)
  return JSON.parse(answer.body)
}

/** The documents that have a value in a list, in order of title, and how many there are. */
function having(
  name: string,
  value: string,
  { dialect, isReadable }: Asking,
): { readonly page: (offset: number) => Sql; readonly count: Sql } {
  const found = sql`document_values JOIN documents ON documents.seq = document_values.seq
    WHERE document_values.name = ${name} AND document_values.value = ${value} AND documents.is_trashed = 0
      AND ${isReadable(raw('documents.acp_id'))}`
  return {
    page: (offset) =>
      sql`SELECT id FROM ${found} ORDER BY ${textKey(dialect, 'dc:title')}, documents.seq LIMIT ${pageSize} OFFSET ${offset}`,
    count: sql`SELECT count(*) FROM ${found}`,
  }
}

const findTagged: RateRow = {
  name: 'search-tag',
  title: `ecm:tag = …, page of ${pageSize} of ${taggedFiles}`,
  async prepare(site) {
    const files = [...new Set(someReadableFiles(site.files, taggedFiles * 3))]
      .slice(0, taggedFiles)
      .map((file) => idOf('file', file))
    const all = Array.from({ length: labels }, (_, label) => `bench-tag-${label}`)
    await run(site, 'Services.TagDocument', files, { tags: all })
    return searchRow({
      name: this.name,
      title: this.title,
      turns: (_, asking) =>
        all.map((label) => {
          const { page, count } = having('nxtag:tags/*/label', label, asking)
          const query = `SELECT * FROM Document WHERE ecm:tag = '${label}' AND ecm:isTrashed = 0 ORDER BY dc:title`
          return { path: `/search/execute?query=${encodeURIComponent(query)}&pageSize=${pageSize}`, statements: [page(0)], count }
        }),
    }).prepare(site)
  },
}

const listCollection: RateRow = {
  name: 'list-collection',
  title: `default_content_collection, page of ${pageSize} of up to ${members} members`,
  async prepare(site) {
    const { uid } = await run<{ uid: string }>(site, 'Collection.Create', undefined, { name: 'bench' })
    const files = [...new Set(someReadableFiles(site.files, members * 3))].slice(0, members).map((file) => idOf('file', file))
    for (let start = 0; start < files.length; start += 500)
      await run(site, 'Document.AddToCollection', files.slice(start, start + 500), { collection: uid })
    return searchRow({
      name: this.name,
      title: this.title,
      turns: (_, asking) =>
        Array.from({ length: 20 }, (_, index) => {
          const { page, count } = having('collectionMember:collectionIds', uid, asking)
          const path = `/search/pp/default_content_collection/execute?queryParams=${uid}&pageSize=${pageSize}&currentPageIndex=${index}`
          return { path, statements: [page(index * pageSize)], count }
        }),
    }).prepare(site)
  },
}

export const gatheredRows: readonly RateRow[] = [findTagged, listCollection]
