import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import * as worked from '../support/worked-query-table.ts'
import { workedDataOn, workedPlugin } from './worked-data.ts'
import { finds } from './worked-finds.ts'

// Every folder of the server was modified a moment ago.
const recent: readonly worked.Expectation[] = [
  [42, "Folder WHERE dc:modified > NOW('-PT1H')", 'alpha beta gamma'],
  [43, "Folder WHERE dc:modified < NOW('P1D') AND dc:modified > NOW('-P1D')", 'alpha beta gamma'],
]

onEachServer(
  'a query over the documents of the contract',
  (server) => {
    const data = workedDataOn(server)
    before(() => data.fill())

    describe('by type', () => finds(data, worked.types))
    describe('by value', () => finds(data, [...worked.values, ...worked.unset]))
    describe('by a list', () => finds(data, worked.lists))
    describe('by place', () => finds(data, worked.places))
    describe('by date', () => finds(data, [...worked.dates, ...recent]))
    describe('by words', () => finds(data, worked.words))

    describe('with a mistake', () => {
      for (const [number, query, reason] of worked.mistakes) {
        test(`${number} ${query} is refused`, async () =>
          assert.equal(await data.refusal(query), `Failed to execute query: ${query}, ${reason}`))
      }
    })

    describe('in an order', () => {
      const ordered: readonly worked.Expectation[] = [
        [67, `Document WHERE ${worked.live} ORDER BY ecm:path`, 'alpha f1 f2 n3 beta gamma f4'],
        [67, `Document WHERE ${worked.live} ORDER BY ecm:path DESC`, 'f4 gamma beta n3 f2 f1 alpha'],
        [68, 'File WHERE dc:coverage IS NOT NULL ORDER BY dc:coverage, dc:title', 'f2 f1'],
        [68, `Document WHERE ${worked.live} ORDER BY dc:title`, 'beta gamma alpha f1 f4 f2 n3'],
        [2, 'Document', 'alpha beta f1 f2 n3 n3v gamma f4'],
      ]
      for (const [number, query, names] of ordered) {
        test(`${number} ${query} finds ${names}`, async () =>
          assert.equal((await data.find(`SELECT * FROM ${query}`)).join(' '), names))
      }
    })

    describe('as a record set', () => {
      test('95 a wildcard at the end makes a row of each item', async () => {
        const rows = await data.rows("SELECT dc:subjects/* FROM File WHERE ecm:name = 'f1'")
        assert.deepEqual(rows.map((row) => row['dc:subjects/*']).sort(), ['foo', 'gee/moo'])
      })

      test('98 a total is one row under the name of its function', async () =>
        assert.deepEqual(await data.rows('SELECT COUNT(dc:title) FROM File'), [{ 'COUNT(dc:title)': 3 }]))
    })
  },
  { plugins: [workedPlugin] },
)
