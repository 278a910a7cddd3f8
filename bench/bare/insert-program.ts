import { newId } from '../../src/base/ids.ts'
import type { Document } from '../../src/model/document.ts'
import type { SqlRow } from '../../src/store/sql/connection.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import { documentById, insertDocument } from '../../src/store/sql/documents/document-statements.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'
import { type RepeatRows, recordsOfChanges, repeatedRows } from './repeated-rows.ts'

export interface InsertSetup {
  readonly database: DatabasePlace
  /** Written in one commit: the server's connections share theirs. */
  readonly together: number
  /** Documents that the server created, one in each folder. */
  readonly templateIds: readonly string[]
  /** What all of them are called and titled. */
  readonly templateName: string
}

interface Template {
  readonly row: SqlRow
  readonly document: Document
  readonly records: readonly RepeatRows[]
}

// Inserts rows with the content of those that the server wrote, what queries find them by, and what tells of them, some in each
// transaction.
runAsBareProgram(async ({ database: place, together, templateIds, templateName }: InsertSetup) => {
  const database = await openBareDatabase(place)
  const find = database.prepare(documentById(''))
  const rows: SqlRow[] = []
  for (const id of templateIds) rows.push(...(await find([id])))
  const templates = await Promise.all(
    rows.map(async (row): Promise<Template> => {
      const document = documentOf('default', row)
      const records = await Promise.all(recordsOfChanges.map((about) => repeatedRows(database, about, [document.id])))
      return { row, document, records }
    }),
  )
  const insert = database.prepare(insertDocument((templates[0] as Template).document))
  const index = createBareIndex(database)
  let turn = 0

  const copyOf = ({ row, document }: Template) => {
    const id = newId()
    const name = `bare-${id}`
    const values = row.map((value) => (typeof value === 'string' ? value.replaceAll(templateName, name) : value))
    const copy = { ...document, properties: { ...document.properties, 'dc:title': name } }
    return { values: [id, ...values.slice(1)], copy, ids: new Map([[document.id, id]]) }
  }
  async function insertOne(): Promise<void> {
    const template = templates[turn++ % templates.length] as Template
    const { values, copy, ids } = copyOf(template)
    const [row] = await insert(values)
    await index.add(row?.[0] as number, copy)
    for (const repeat of template.records) await repeat(ids)
  }
  return { pieces: together, once: () => database.transact(together, insertOne, index.writeWords) }
})
