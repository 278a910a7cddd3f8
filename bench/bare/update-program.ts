import type { Document } from '../../src/model/document.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import { documentById, updateDocument } from '../../src/store/sql/documents/document-statements.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface UpdateSetup {
  readonly database: DatabasePlace
  /** Written in one commit: the server's connections share theirs. */
  readonly together: number
  /** Documents that nobody else changes. */
  readonly ids: readonly string[]
}

// Writes one property of one document after another, and the words of the document, some in each transaction.
runAsBareProgram(async ({ database: place, together, ids }: UpdateSetup) => {
  const database = await openBareDatabase(place)
  const find = database.prepare(documentById(''))
  const documents: Document[] = []
  for (const id of ids) for (const row of await find([id])) documents.push(documentOf('default', row))
  const update = database.prepare(statementFor(0).statement)
  const index = createBareIndex(database)
  let turn = 0

  function statementFor(number: number) {
    const before = documents[number % documents.length] as Document
    const { changeToken } = before
    const properties = { ...before.properties, 'dc:source': `bare ${number}` }
    const after = { ...before, properties, changeToken: { ...changeToken, system: changeToken.system + 1 } }
    return { after, statement: updateDocument(before, after) }
  }
  async function updateOne(): Promise<void> {
    const { after, statement } = statementFor(turn)
    documents[turn++ % documents.length] = after
    const [row] = await update(statement.values)
    await index.replaceWords(row?.[0] as number, after)
  }
  return { pieces: together, once: () => database.transact(together, updateOne) }
})
