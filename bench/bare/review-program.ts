import sql, { join, raw } from 'sql-template-tag'
import { newId } from '../../src/base/ids.ts'
import type { Document } from '../../src/model/document.ts'
import type { SqlRow } from '../../src/store/sql/connection.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import { documentById, insertDocument, updateDocument } from '../../src/store/sql/documents/document-statements.ts'
import { type BareDatabase, type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'

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

const auditColumns =
  'event_id, event_date, log_date, category, principal_name, comment, doc_uuid, doc_type, doc_path, doc_life_cycle, repository_id, extended'
const outboxColumns =
  'event, event_date, principal_name, category, comment, doc_id, doc_type, doc_path, doc_life_cycle, doc_acp_id, is_quiet, extended, doc_parent_id, doc_change_token'

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
  const log = await repeating(database, { table: 'audit_entries', columns: auditColumns, key: 'doc_uuid' }, ofReview)
  const tell = await repeating(database, { table: 'outbox_events', columns: outboxColumns, key: 'doc_id' }, ofReview)

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
    await log()
    await tell()
  }
  return { pieces: together, once: () => database.transact(together, reviewOnce, index.writeWords) }
})

/** Adds the rows again that a table has about some documents. */
async function repeating(
  { prepare, dialect }: BareDatabase,
  { table, columns, key }: { readonly table: string; readonly columns: string; readonly key: string },
  ids: readonly string[],
): Promise<() => Promise<void>> {
  const about = sql`SELECT ${raw(columns)} FROM ${raw(table)} WHERE ${raw(key)} ${dialect.oneOfTexts(ids)} ORDER BY id`
  const rows = await prepare(about)(about.values)
  const places = join(
    columns.split(',').map(() => null),
    ', ',
  )
  const insert = prepare(sql`INSERT INTO ${raw(table)} (${raw(columns)}) VALUES (${places})`)
  return async () => {
    for (const row of rows) await insert(row)
  }
}

function replaced(text: string, ids: ReadonlyMap<string, string>, suffix: string): string {
  let changed = text
  for (const [from, to] of ids) changed = changed.replaceAll(from, to)
  return changed.replace(/(SerialDocumentReview|Task38e|Task6d8)\.\d+/g, `$1.${suffix}`)
}
