import { newId } from '../../src/base/ids.ts'
import type { Row } from '../../src/store/sql/connection.ts'
import { documentOf } from '../../src/store/sql/document-row.ts'
import { documentById, insertDocument } from '../../src/store/sql/document-statements.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface InsertSetup {
  readonly database: DatabasePlace
  /** Documents that the server created, one in each folder. */
  readonly templateIds: readonly string[]
  /** What all of them are called and titled. */
  readonly templateName: string
}

// Inserts rows with the content of those that the server wrote, each in a transaction of its own.
runAsBareProgram(async ({ database: place, templateIds, templateName }: InsertSetup) => {
  const database = await openBareDatabase(place)
  const find = database.prepare(documentById(''))
  const templates: Row[] = []
  for (const id of templateIds) templates.push(...(await find([id])))
  const insert = database.prepare(insertDocument(documentOf('default', templates[0] as Row)))
  let turn = 0

  const valuesLike = (template: Row) => {
    const id = newId()
    const values = template.map((value) => (typeof value === 'string' ? value.replaceAll(templateName, `bare-${id}`) : value))
    return [id, ...values.slice(1)]
  }
  return {
    async once() {
      const values = valuesLike(templates[turn++ % templates.length] as Row)
      await database.begin()
      await insert(values)
      await database.commit()
    },
  }
})
