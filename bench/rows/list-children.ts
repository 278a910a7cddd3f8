import sql, { raw } from 'sql-template-tag'
import { textKey } from '../../src/store/sql/documents/property-key.ts'
import { folderPath, idOf } from '../load/tree.ts'
import { type SearchRow, searchRow, whenForgotten } from './search-row.ts'

const pageSize = 50

/** The page and one child more, and the total, which the list has as well. */
const children: SearchRow = {
  name: 'list-children',
  title: `@children, page of ${pageSize} of 1,000`,
  leastShare: 0.5,
  turns: ({ folders }, { dialect, isReadable }) =>
    folders.map(({ number }) => {
      const where = sql`parent_id = ${idOf('folder', number)} AND is_trashed = 0 AND ${isReadable(raw('documents.acp_id'))}`
      const order = sql`${textKey(dialect, 'dc:title')} ASC NULLS FIRST, seq`
      const page = sql`SELECT id FROM documents WHERE ${where} ORDER BY ${order} LIMIT ${pageSize + 1}`
      const count = sql`SELECT count(*) FROM documents WHERE ${where}`
      return { path: `/path${folderPath(number)}/@children?pageSize=${pageSize}`, statements: [page], count }
    }),
}

export const listChildren = searchRow(children)

const withProperties: SearchRow = {
  ...children,
  name: 'list-children-properties',
  title: `${children.title}, all properties`,
  headers: { properties: '*' },
}

export const listChildrenWithProperties = searchRow(withProperties)

export const listChildrenAnew = whenForgotten(withProperties)

const { leastShare: _, ...unbound } = children

export const listChildrenAgainstLoop = searchRow({
  ...unbound,
  name: 'list-children-loop',
  title: `${children.title}; bare: no HTTP`,
  inLoop: true,
})
