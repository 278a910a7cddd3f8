import { newId } from '../../src/base/ids.ts'
import type { Document } from '../../src/model/document.ts'
import type { SqlRow } from '../../src/store/sql/connection.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import { documentById, insertDocument, updateDocument } from '../../src/store/sql/documents/document-statements.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'
import { recordsOfChanges, repeatedRows } from './repeated-rows.ts'

/** What one request of a review wrote, by the ids of documents. */
export interface ReviewStep {
  readonly inserted: readonly string[]
  readonly updated: readonly string[]
}

export interface ReviewSetup {
  readonly database: DatabasePlace
  /** Written in one commit: the server's connections share theirs. */
  readonly together: number
  /** Of a review that the server has done. */
  readonly steps: readonly ReviewStep[]
}

interface Written {
  readonly values: readonly unknown[]
  readonly document: Document
}

// Writes the rows that the server writes for a review: those of the instance, its nodes and tasks, what changes of them with each
// request, the audit log and the outbox.
runAsBareProgram(async ({ database: place, together, steps }: ReviewSetup) => {
  const database = await openBareDatabase(place)
  const find = database.prepare(documentById(''))
  const templates = new Map<string, Written>()
  for (const id of new Set(steps.flatMap(({ inserted }) => inserted)))
    for (const row of await find([id])) templates.set(id, { values: row, document: documentOf('default', row) })
  const [first] = templates.values()
  if (first === undefined) throw new Error('There is no review to repeat.')
  const insert = database.prepare(insertDocument(first.document))
  const update = database.prepare(updateDocument(first.document, first.document))
  const index = createBareIndex(database)
  const ofReview = [...templates.keys()]
  const records = await Promise.all(recordsOfChanges.map((rows) => repeatedRows(database, rows, ofReview)))

  /** The same rows with other ids and names. */
  const copied = ({ values, document }: Written, ids: ReadonlyMap<string, string>, suffix: string): Written => {
    const renamed = values.map((value) => (typeof value === 'string' ? replaced(value, ids, suffix) : value))
    return { values: renamed, document: documentOf('default', renamed as unknown as SqlRow) ?? document }
  }
  async function reviewOnce(): Promise<void> {
    const ids = new Map([...templates.keys()].map((id) => [id, newId()]))
    const suffix = newId()
    const live = new Map<string, Document>()
    for (const { inserted, updated } of steps) {
      for (const id of inserted) {
        const { values, document } = copied(templates.get(id) as Written, ids, suffix)
        const [row] = await insert(values)
        await index.add(row?.[0] as number, document)
        live.set(id, document)
      }
      for (const id of updated) {
        const before = live.get(id) as Document
        const token = { ...before.changeToken, system: before.changeToken.system + 1 }
        const after = {
          ...before,
          properties: { ...before.properties, 'dc:modified': new Date().toISOString() },
          changeToken: token,
        }
        await update(updateDocument(before, after).values)
        live.set(id, after)
      }
    }
    for (const repeat of records) await repeat(ids)
  }
  return { pieces: together, once: () => database.transact(together, reviewOnce, index.writeWords) }
})

function replaced(text: string, ids: ReadonlyMap<string, string>, suffix: string): string {
  let changed = text
  for (const [from, to] of ids) changed = changed.replaceAll(from, to)
  return changed.replace(/(SerialDocumentReview|Task38e|Task6d8)\.\d+/g, `$1.${suffix}`)
}
