import sql from 'sql-template-tag'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface AuditSetup {
  readonly database: DatabasePlace
  /** Documents with so many rows more. */
  readonly ids: readonly string[]
  readonly rowsEach: number
}

const documentsAtOnce = 20_000

// Writes a row of the audit log for each document that there is, and many for a few, before it is ready. It does nothing else.
runAsBareProgram(async ({ database: place, ids, rowsEach }: AuditSetup) => {
  const database = await openBareDatabase(place)
  const run = (statement: ReturnType<typeof sql>) => database.prepare(statement)(statement.values)
  const rowsOf = (event: string, documents: ReturnType<typeof sql>) => sql`
    INSERT INTO audit_entries (event_id, event_date, log_date, category, principal_name, doc_uuid, doc_type, doc_path,
                               doc_life_cycle, repository_id)
    SELECT ${event}, 1700000000000 + seq, 1700000000000 + seq, 'eventDocumentCategory', 'bench-editor', id, type, path, state,
           'default'
      FROM documents WHERE ${documents}`
  const last = Number((await run(sql`SELECT max(seq) FROM documents`))[0]?.[0])
  for (let seq = 0; seq <= last; seq += documentsAtOnce)
    await run(rowsOf('documentCreated', sql`seq > ${seq} AND seq <= ${seq + documentsAtOnce}`))
  for (let number = 1; number < rowsEach; number++) {
    await database.begin()
    for (const id of ids) await run(rowsOf('documentModified', sql`id = ${id}`))
    await database.commit()
  }
  return { pieces: 1, once: async () => {} }
})
