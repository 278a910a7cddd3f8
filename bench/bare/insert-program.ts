import { newId } from '../../src/base/ids.ts'
import type { Document } from '../../src/model/document.ts'
import type { SqlRow } from '../../src/store/sql/connection.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import { documentById, insertDocument } from '../../src/store/sql/documents/document-statements.ts'
import type { WholeAnswer } from '../http/call.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { differingSender, readJson, serveBare } from './bare-http.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'
import { type RepeatRows, recordsOfChanges, repeatedRows } from './repeated-rows.ts'
import { createSharedCommits } from './shared-commits.ts'

export interface InsertSetup {
  readonly database: DatabasePlace
  /** Written in one commit: the server's connections share theirs. */
  readonly together: number
  /** Documents that the server created, one in each folder. */
  readonly templateIds: readonly string[]
  /** What all of them are called and titled. */
  readonly templateName: string
  /** The server's answer to the first of them. */
  readonly answer: WholeAnswer
}

interface Template {
  readonly row: SqlRow
  readonly document: Document
  readonly records: readonly RepeatRows[]
}

// Inserts rows with the content of those that the server wrote, what queries find them by, and what tells of them, some in each
// transaction: in a loop, or as they are asked for over HTTP, with the server's answer for each.
runAsBareProgram(async ({ database: place, together, templateIds, templateName, answer }: InsertSetup) => {
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
  const [first] = templates as [Template]
  const insert = database.prepare(insertDocument(first.document))
  const index = createBareIndex(database)
  let turn = 0

  const copyOf = ({ row, document }: Template, name: string) => {
    const id = newId()
    const values = row.map((value) => (typeof value === 'string' ? value.replaceAll(templateName, name) : value))
    const copy = { ...document, properties: { ...document.properties, 'dc:title': name } }
    return { id, values: [id, ...values.slice(1)], copy, ids: new Map([[document.id, id]]) }
  }
  /** Gives its id. */
  async function insertOne(name = `bare-${newId()}`): Promise<string> {
    const template = templates[turn++ % templates.length] as Template
    const { id, values, copy, ids } = copyOf(template, name)
    const [row] = await insert(values)
    await index.add(row?.[0] as number, copy)
    for (const repeat of template.records) await repeat(ids)
    return id
  }
  const shareCommit = createSharedCommits(database, index.writeWords)
  const send = differingSender(answer)
  return {
    pieces: together,
    once: () => database.transact(together, async () => void (await insertOne()), index.writeWords),
    url: await serveBare(async (request, response) => {
      const { name } = (await readJson(request)) as { name: string }
      const id = await shareCommit(() => insertOne(name))
      send(
        response,
        new Map([
          [first.document.id, id],
          [templateName, name],
        ]),
      )
    }),
  }
})
