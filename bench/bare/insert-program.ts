import { newId } from '../../src/base/ids.ts'
import type { Document } from '../../src/model/document.ts'
import type { SqlRow } from '../../src/store/sql/connection.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import { documentById, insertDocument } from '../../src/store/sql/documents/document-statements.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'

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
}

// Inserts rows with the content of those that the server wrote, and what queries find them by, some in each transaction.
runAsBareProgram(async ({ database: place, together, templateIds, templateName }: InsertSetup) => {
  const database = await openBareDatabase(place)
  const find = database.prepare(documentById(''))
  const rows: SqlRow[] = []
  for (const id of templateIds) rows.push(...(await find([id])))
  const templates = rows.map((row) => ({ row, document: documentOf('default', row) }))
  const insert = database.prepare(insertDocument((templates[0] as Template).document))
  const index = createBareIndex(database)
  let turn = 0

  const copyOf = ({ row, document }: Template) => {
    const id = newId()
    const name = `bare-${id}`
    const values = row.map((value) => (typeof value === 'string' ? value.replaceAll(templateName, name) : value))
    const copy = { ...document, properties: { ...document.properties, 'dc:title': name } }
    return { values: [id, ...values.slice(1)], copy }
  }
  async function insertOne(): Promise<void> {
    const { values, copy } = copyOf(templates[turn++ % templates.length] as Template)
    const [row] = await insert(values)
    await index.add(row?.[0] as number, copy)
  }
  return { pieces: together, once: () => database.transact(together, insertOne, index.writeWords) }
})
