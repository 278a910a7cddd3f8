import type { Document } from '../../src/model/document.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import { documentById, updateDocument } from '../../src/store/sql/documents/document-statements.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface UpdateSetup {
  readonly database: DatabasePlace
  /** Documents that nobody else changes. */
  readonly ids: readonly string[]
}

// Writes one property of one document after another, and the words of the document, each in a transaction of its own.
runAsBareProgram(async ({ database: place, ids }: UpdateSetup) => {
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
  return {
    async once() {
      const { after, statement } = statementFor(turn)
      documents[turn++ % documents.length] = after
      await database.begin()
      const [row] = await update(statement.values)
      await index.replaceWords(row?.[0] as number, after)
      await database.commit()
    },
  }
})
