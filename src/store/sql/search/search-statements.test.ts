import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { queryModel } from '../../../../test/support/nxql/query-model.ts'
import { now, shelfWith } from '../../../../test/support/shelf.ts'
import { compileQuery } from '../../../nxql/compile-query.ts'
import { postgresDialect } from '../../postgres/postgres-dialect.ts'
import { sqliteDialect } from '../../sqlite/sqlite-dialect.ts'
import type { SqlStatement } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { createSearchReader } from './sql-search.ts'

/** The last statement that a query is run as. */
async function statementFor(dialect: Dialect, text: string, acps: readonly number[] = [1]): Promise<SqlStatement> {
  const asked: SqlStatement[] = []
  const all = async (statement: SqlStatement) => {
    asked.push(statement)
    return []
  }
  const connection = {
    all,
    get: async (statement: SqlStatement) => void (await all(statement)),
    run: async () => 0,
    timeLimitMilliseconds: 1_000,
  }
  const reader = createSearchReader({ connection, dialect, repository: 'default' })
  await reader.listDocuments(compileQuery(queryModel, text), { now, readableAcps: acps }, { offset: 0, limit: 5 })
  return asked.at(-1) as SqlStatement
}

for (const dialect of [sqliteDialect, postgresDialect]) {
  describe(`the statement of a query (${dialect.engine})`, () => {
    test('holds nothing that was written in the query between quotes', async () => {
      const marked = "x'); DROP TABLE documents; --"
      const literal = marked.replaceAll("'", "\\'")
      const conditions = [
        `dc:title = '${literal}'`,
        `dc:source LIKE '%${literal}_'`,
        `dc:source ILIKE '${literal}'`,
        `dc:subjects IN ('${literal}', 'y')`,
        `dc:subjects/* STARTSWITH '${literal}'`,
        `ecm:path STARTSWITH '/${literal}'`,
        `ecm:ancestorId = '${literal}'`,
        `ecm:mixinType = '${literal}'`,
        `p:people/*1/first = '${literal}'`,
        `ecm:acl/*/principal = '${literal}'`,
        `/*+ES: OPERATOR(fuzzy) */ dc:source = '${literal}'`,
        `/*+ES: OPERATOR(regex) */ dc:source = '${literal}'`,
        `my:long = 424242 AND my:double < 4242.5 AND dc:created > TIMESTAMP '2042-01-01 00:00:00'`,
      ]
      for (const condition of conditions) {
        const { sql, text } = await statementFor(dialect, `SELECT * FROM Document WHERE ${condition}`)
        assert.doesNotMatch(sql + text, /DROP|4242|2042/, condition)
      }
    })

    test('is the same text for the same query, for any principal at any time', async () => {
      const query = "SELECT * FROM File WHERE dc:modified > NOW('-P1D') AND dc:subjects = 'a' ORDER BY dc:title"
      const [one, other] = [await statementFor(dialect, query, [1]), await statementFor(dialect, query, [7, 8, 9])]
      assert.equal(one.sql, other.sql)
      assert.notDeepEqual(one.values, other.values)
    })
  })
}

onEachEngine('queries of any size', (engine) => {
  const open = shelfWith(engine, { found: { properties: { 'dc:title': 'x', 'my:long': 7 } }, other: {} })

  const subjects = Array.from({ length: 60 }, (_, index) => `s${index}/x`)
  const onListed = shelfWith(engine, {
    all: { properties: { 'dc:subjects': subjects, 'my:long': 7 } },
    most: { properties: { 'dc:subjects': subjects.slice(1), 'my:long': 77 } },
    none: { properties: { 'my:long': 78 } },
  })

  test('may have a thousand conditions', async () => {
    const shelf = await open()
    const conditions = Array.from({ length: 1_000 }, (_, index) => `my:long = ${index}`)
    assert.equal(await shelf.find(`SELECT * FROM Specimen WHERE ${conditions.join(' OR ')}`), 'found')
    const negated = conditions.map((condition) => `NOT ${condition}`).filter((condition) => !condition.endsWith(' 7'))
    assert.equal(await shelf.find(`SELECT * FROM Specimen WHERE ${negated.join(' AND ')}`), 'found')
  })

  test('may have many conditions that are each weighed against all others', async () => {
    const shelf = await onListed()
    const many = (condition: (index: number) => string) =>
      Array.from({ length: 60 }, (_, index) => condition(index)).join(' AND ')
    const below = (index: number) => `dc:subjects STARTSWITH 's${index}'`
    const notBelow = (index: number) => `NOT dc:subjects STARTSWITH 's${index}'`
    const pair = (index: number) => `(dc:subjects = 's${index}/x' OR my:long = ${index})`
    const find = (condition: string) => shelf.find(`SELECT * FROM Specimen WHERE ${condition}`)
    assert.equal(await find(many(below)), 'all')
    assert.equal(await find(many(pair)), 'all')
    assert.equal(await find(many(notBelow)), 'none')
    assert.equal(await find(`${many(notBelow)} AND my:long = 8`), '')
    assert.equal(await find(`NOT (${many(below)})`), 'most none')
    assert.equal(await find(`${many((index) => `my:long <> ${index + 100}`)} AND my:long IS NOT NULL`), 'all most none')
    assert.equal(await find(many((index) => `NOT my:long BETWEEN ${index} AND ${index}.5`)), 'most none')
    assert.equal(await find(`${many((index) => `ecm:path <> '/x${index}'`)} AND my:long > 60`), 'most none')
  })

  test('may ask for one of very many values', async () => {
    const shelf = await open()
    const texts = Array.from({ length: 9_000 }, (_, index) => `'v${index}'`)
    assert.equal(await shelf.find(`SELECT * FROM Specimen WHERE dc:title IN (${texts.join(',')}, 'x')`), 'found')
  })

  test('may be nested as deeply as the language allows', async () => {
    const shelf = await open()
    let condition = "dc:title = 'x'"
    for (let depth = 0; depth < 90; depth++) condition = `(my:long = 7 AND (my:long = ${depth} OR ${condition}))`
    assert.equal(await shelf.find(`SELECT * FROM Specimen WHERE ${condition}`), 'found')
  })

  test('may have a pattern longer than any value', async () => {
    const shelf = await open()
    const long = 'x'.repeat(900)
    assert.equal(await shelf.find(`SELECT * FROM Specimen WHERE dc:source LIKE '%${long}%' OR dc:title LIKE '%x%'`), 'found')
    assert.equal(await shelf.find(`SELECT * FROM Specimen WHERE NOT dc:title LIKE '%${long}%'`), 'found')
  })
})
