import sql, { raw } from 'sql-template-tag'
import { textKey } from '../../src/store/sql/documents/property-key.ts'
import { answerTo, type Call } from '../http/call.ts'
import { reader } from '../load/people.ts'
import { idOf, someReadableFiles } from '../load/tree.ts'
import type { ServedSite } from '../site.ts'
import type { RateRow } from './rate-row.ts'
import { searchRow } from './search-row.ts'

const [filesDiscussed, commentsEach, pageSize] = [20, 60, 50]

/** Comments are written first, by the reader: no repository is filled with any. Other documents have none or many alike. */
export const listComments: RateRow = {
  name: 'list-comments',
  title: `@comment, page of ${pageSize} of ${commentsEach}, with summaries`,
  async prepare(site) {
    const files = [...new Set(someReadableFiles(site.files, filesDiscussed * 3))].slice(0, filesDiscussed)
    const discussed = new Map<string, string>()
    for (const file of files) discussed.set(idOf('file', file), await discuss(site, idOf('file', file)))
    const row = searchRow({
      name: this.name,
      title: this.title,
      headers: { 'fetch.comment': 'repliesSummary' },
      turns: (_, { dialect, isReadable }) =>
        [...discussed].map(([id, rootId]) => {
          const where = sql`parent_id = ${rootId} AND ${isReadable(raw('documents.acp_id'))}`
          const order = sql`${textKey(dialect, 'comment:creationDate')} DESC NULLS LAST, seq DESC`
          const page = sql`SELECT id FROM documents WHERE ${where} ORDER BY ${order} LIMIT ${pageSize}`
          const replies = sql`SELECT parent_id, count(*) FROM documents WHERE parent_id IN (${page}) GROUP BY parent_id`
          const count = sql`SELECT count(*) FROM documents WHERE ${where}`
          return { path: `/id/${id}/@comment?pageSize=${pageSize}`, statements: [page, replies], count }
        }),
    })
    return row.prepare(site)
  },
}

/** Gives the id of what holds the comments. */
async function discuss({ server }: ServedSite, id: string): Promise<string> {
  const ask = async (call: Omit<Call, 'user'>) => JSON.parse((await answerTo({ ...call, user: reader.name }, server.target)).body)
  let last = ''
  for (let number = 0; number < commentsEach; number++) {
    const body = JSON.stringify({ 'entity-type': 'comment', text: `Please check page ${number}` })
    last = (await ask({ method: 'POST', path: `/api/v1/id/${id}/@comment`, body })).id
  }
  return (await ask({ method: 'GET', path: `/api/v1/id/${last}` })).parentRef
}
