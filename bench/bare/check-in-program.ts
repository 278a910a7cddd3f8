import { newId } from '../../src/base/ids.ts'
import type { Document } from '../../src/model/document.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import {
  documentById,
  insertDocument,
  refreshLatestFlags,
  updateDocument,
} from '../../src/store/sql/documents/document-statements.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface CheckInSetup {
  readonly database: DatabasePlace
  /** Written in one commit: the server's connections share theirs. */
  readonly together: number
  /** Documents that nobody else changes. */
  readonly ids: readonly string[]
}

// Changes a property and keeps the outcome as a version: a row more, the flags of its series, the document itself, and the words
// of both.
runAsBareProgram(async ({ database: place, together, ids }: CheckInSetup) => {
  const database = await openBareDatabase(place)
  const find = database.prepare(documentById(''))
  const documents: Document[] = []
  for (const id of ids) for (const row of await find([id])) documents.push(documentOf('default', row))
  const first = documents[0] as Document
  const insert = database.prepare(insertDocument(first))
  const flags = database.prepare(refreshLatestFlags(first.id))
  const update = database.prepare(updateDocument(first, first))
  const fulltext = createBareIndex(database)
  let turn = 0

  async function checkInOne(): Promise<void> {
    const index = turn++ % documents.length
    const before = documents[index] as Document
    const { version, live } = checkedIn(before, `bare ${turn}`)
    documents[index] = live
    const [inserted] = await insert(insertDocument(version).values)
    await fulltext.add(inserted?.[0] as number, version)
    await flags(refreshLatestFlags(before.id).values)
    const [updated] = await update(updateDocument(before, live).values)
    await fulltext.replaceWords(updated?.[0] as number, live)
  }
  return { pieces: together, once: () => database.transact(together, checkInOne, fulltext.writeWords) }
})

function checkedIn(before: Document, source: string): { version: Document; live: Document } {
  const { changeToken } = before
  const properties = { ...before.properties, 'dc:source': source }
  const changed = { ...before, properties, minorVersion: before.minorVersion + 1 }
  const versionCreated = new Date().toISOString()
  const place = { id: newId(), parentId: null, path: null, position: null }
  const version: Document = {
    ...changed,
    ...place,
    isVersion: true,
    isCheckedIn: true,
    seriesId: before.id,
    versionCreated,
    isLatestVersion: true,
  }
  const token = { ...changeToken, system: changeToken.system + 1 }
  return { version, live: { ...changed, isCheckedIn: true, baseVersionId: version.id, changeToken: token } }
}
