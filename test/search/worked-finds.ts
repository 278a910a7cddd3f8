import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Expectation } from '../support/worked-query-table.ts'
import type { WorkedData } from './worked-data.ts'

/** A test of each query, whatever the order in which it finds the documents. */
export function finds(data: Pick<WorkedData, 'find'>, rows: readonly Expectation[]): void {
  for (const [number, query, names] of rows) {
    test(`${number} ${query} finds ${names || 'nothing'}`, async () => {
      const found = await data.find(`SELECT * FROM ${query}`)
      assert.equal([...found].sort().join(' '), names)
    })
  }
}
