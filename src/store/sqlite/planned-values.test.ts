import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sql, { raw, type Sql } from 'sql-template-tag'
import { fillPlanned, findPlanned } from './planned-values.ts'

function assertPlanned(statement: Sql, text: string, ...values: readonly unknown[]): void {
  const planned = findPlanned(statement.sql)
  assert.ok(planned)
  assert.deepEqual(fillPlanned(planned, statement.values), { sql: text, values })
}

describe('a statement', () => {
  test('has its limit in the text, and all other values beside it', () => {
    const page = (limit: number) => sql`SELECT id FROM documents WHERE parent_id = ${'p'} LIMIT ${limit} OFFSET ${3}`
    assertPlanned(page(50), 'SELECT id FROM documents WHERE parent_id = ? LIMIT 50 OFFSET ?', 'p', 3)
    assertPlanned(page(7), 'SELECT id FROM documents WHERE parent_id = ? LIMIT 7 OFFSET ?', 'p', 3)
  })

  test('has what is compared with the flag of a partial index in the text', () => {
    assertPlanned(
      sql`SELECT id FROM documents WHERE documents.is_proxy = ${0} AND is_trashed = ${1} AND has_legal_hold = ${1} AND name = ${'n'}`,
      'SELECT id FROM documents WHERE documents.is_proxy = 0 AND is_trashed = ? AND has_legal_hold = 1 AND name = ?',
      1,
      'n',
    )
  })

  test('is left as it is where it has no such value, or where a limit is no whole number', () => {
    assert.equal(findPlanned('SELECT 1 FROM documents WHERE id = ? AND is_trashed = ?'), undefined)
    const planned = findPlanned('SELECT 1 LIMIT ?')
    assert.ok(planned)
    for (const limit of [1.5, '1; DROP TABLE documents', null]) assert.equal(fillPlanned(planned, [limit]), undefined)
  })

  test('may have what looks like a place for a value in its texts and names', () => {
    const odd = raw(`SELECT 'is it? LIMIT ?' AS "what? LIMIT ?" FROM documents WHERE id = `)
    assertPlanned(
      sql`${odd}${'i'} LIMIT ${2}`,
      `SELECT 'is it? LIMIT ?' AS "what? LIMIT ?" FROM documents WHERE id = ? LIMIT 2`,
      'i',
    )
  })
})
