import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sql, { raw, type Sql } from 'sql-template-tag'
import { createValuePlanning } from './planned-values.ts'

const plan = createValuePlanning()

function assertPlanned(statement: Sql, text: string, ...values: readonly unknown[]): void {
  assert.deepEqual(plan(statement), { sql: text, values })
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

  test('is left as it is where a limit is no whole number', () => {
    assertPlanned(sql`SELECT 1 LIMIT ${1.5}`, 'SELECT 1 LIMIT ?', 1.5)
    assertPlanned(sql`SELECT 1 LIMIT ${'1; DROP TABLE documents'}`, 'SELECT 1 LIMIT ?', '1; DROP TABLE documents')
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
