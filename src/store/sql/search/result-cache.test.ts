import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { type SqlStatement, searchConnection } from '../connection.ts'
import { cacheResults } from './result-cache.ts'

/** Counts how often it counts, which is also what it gives. */
function counting() {
  let version = 1
  let counted = 0
  const asked: SqlStatement[] = []
  const bare = searchConnection(async (statement) => {
    asked.push(statement)
    counted += 1
    return [[counted]]
  }, 1_000)
  const { remembered } = cacheResults(
    bare,
    () => version,
    (before) => before === version,
  )
  return {
    asked,
    total: async (statement: SqlStatement) => (await remembered?.(statement))?.[0]?.[0],
    remembered,
    commit() {
      version += 1
    },
  }
}

describe('a total', () => {
  const byName = (name: unknown) => sql`SELECT count(*) FROM documents WHERE name = ${name}`

  test('is counted once for the same statement and values', async () => {
    const { total, asked } = counting()
    assert.equal(await total(byName('a')), 1)
    assert.equal(await total(byName('a')), 1)
    assert.equal(asked.length, 1)
  })

  test('is another one for other values, be they alike as texts', async () => {
    const { total } = counting()
    const list = { text: '[1]', size: 1 }
    const other = { text: '[1]', size: 1 }
    const values = ['1', 1, 1n, '[1]', null, 'null', list, other]
    const totals = []
    for (const value of [...values, ...values]) totals.push(await total(byName(value)))
    assert.deepEqual(totals, [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('is remembered as are the rows of a page', async () => {
    const { remembered } = counting()
    const page = sql`SELECT id FROM documents LIMIT ${50}`
    assert.equal(await remembered?.(page), await remembered?.(page))
  })

  test('is counted anew after a commit', async () => {
    const { total, commit } = counting()
    assert.equal(await total(byName('a')), 1)
    commit()
    assert.equal(await total(byName('a')), 2)
  })

  test('is not remembered when there was a commit while it was counted', async () => {
    const { total, commit } = counting()
    const underWay = total(byName('a'))
    commit()
    assert.equal(await underWay, 1)
    assert.equal(await total(byName('a')), 2)
  })
})
