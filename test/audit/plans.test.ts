import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { type AuditFilter, entriesPage, everyEntry } from '../../src/features/audit/audit-query.ts'
import { onEachServer } from '../support/servers.ts'

const rows: readonly [what: string, filter: AuditFilter, index: string][] = [
  ['the whole log', everyEntry, 'audit_entries_by_date'],
  ['a document', { ...everyEntry, sources: [{ documentId: 'd7' }] }, 'audit_entries_by_document'],
  [
    'a version and its live document',
    { ...everyEntry, sources: [{ documentId: 'd7' }, { documentId: 'd8', until: 5_000 }] },
    'audit_entries_by_document',
  ],
  ['two rare events', { ...everyEntry, eventIds: ['e1', 'e2'] }, 'audit_entries_by_event'],
  ['a user', { ...everyEntry, principalNames: ['u3'] }, 'audit_entries_by_principal'],
  ['a category', { ...everyEntry, categories: ['c4'] }, 'audit_entries_by_category'],
]

onEachServer('pages of a long audit log', (server) => {
  const write = (statement: ReturnType<typeof sql>) => server.asSystem(({ tx }) => tx.tables.run(statement))
  before(async () => {
    await write(sql`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 30000)
      INSERT INTO audit_entries (event_id, event_date, log_date, principal_name, category, doc_uuid)
      SELECT 'e' || (n % 97), n, n, 'u' || (n % 89), 'c' || (n % 83), 'd' || (n % 1009) FROM numbers`)
    await write(sql`ANALYZE audit_entries`)
  })

  describe('come from an index in their order, however long it is', () => {
    for (const [what, filter, index] of rows) {
      test(what, async () => {
        const page = entriesPage(filter, { offset: 0, limit: 50 })
        const plan = await server.asSystem(async ({ tx, repository }) => {
          const explain = repository.store.engine === 'sqlite' ? sql`EXPLAIN QUERY PLAN ${page}` : sql`EXPLAIN ${page}`
          return (await tx.tables.all(explain)).map((row) => row.join(' ')).join('\n')
        })
        assert.ok(plan.includes(index), plan)
        assert.doesNotMatch(plan, /SCAN audit_entries(?! USING (?:COVERING )?INDEX)|Seq Scan|BTREE FOR ORDER BY(?! *$)/m, plan)
      })
    }
  })
})
