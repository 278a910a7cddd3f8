import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { searchSettings } from '../../src/core/search/search-settings.ts'
import { defaultQueryLimits } from '../../src/nxql/query-limits.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { onEachServer } from '../support/servers.ts'
import { aStoredChild } from '../support/stored-document.ts'

const where = 'SELECT * FROM Document WHERE '
const repeated = (count: number, part: (index: number) => string, separator: string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(separator)
const words = (count: number) => repeated(count, (index) => `w${index}`, ' ')
const hint = (operator: string, fields = 'dc:description') => `/*+ES: INDEX(${fields}) OPERATOR(${operator}) */ dc:title`

/** A query one larger than is allowed, each with the bound and the setting that its refusal names. */
const tooLarge: readonly (readonly [name: string, query: string, bound: number, setting: string])[] = [
  ['characters', `${where}dc:title = '${'x'.repeat(200_000)}'`, 200_000, 'queryMaxCharacters'],
  ['alternatives', where + repeated(1_001, (index) => `dc:title = 't${index}'`, ' OR '), 1_000, 'queryMaxPredicates'],
  [
    'days in a list',
    `${where}DATE(dc:created) IN (${repeated(1_001, () => "DATE '2024-01-01'", ',')})`,
    1_000,
    'queryMaxPredicates',
  ],
  [
    'fields of a hint',
    `${where}${hint(
      'match',
      repeated(600, () => 'dc:title', ','),
    )} = 'one two'`,
    1_000,
    'queryMaxPredicates',
  ],
  ['items of a list', `${where}dc:title IN (${repeated(10_001, (index) => `'${index}'`, ',')})`, 10_000, 'queryMaxListItems'],
  ['types', `SELECT * FROM ${repeated(10_001, () => 'File', ',')}`, 10_000, 'queryMaxListItems'],
  ['columns', `SELECT ${repeated(101, () => 'dc:title', ',')} FROM File`, 100, 'queryMaxColumns'],
  ['order columns', `${where}ecm:isVersion = 0 ORDER BY ${repeated(21, () => 'dc:title', ',')}`, 20, 'queryMaxOrderColumns'],
  ['wildcards', where + repeated(51, () => `dc:subjects/* = 'x'`, ' OR '), 50, 'queryMaxWildcards'],
  ['selected wildcards', `SELECT ${repeated(70, (index) => `dc:subjects/*${index}`, ',')} FROM File`, 50, 'queryMaxWildcards'],
  ['full-text words', `${where}ecm:fulltext = '${words(201)}'`, 200, 'queryMaxWords'],
  ['words of a phrase', `${where}ecm:fulltext = '"${words(201)}"'`, 200, 'queryMaxWords'],
  ['words left out', `${where}ecm:fulltext = 'a ${repeated(200, (index) => `-w${index}`, ' ')}'`, 200, 'queryMaxWords'],
  ['words of several matches', where + repeated(3, () => `ecm:fulltext = '${words(67)}'`, ' AND '), 200, 'queryMaxWords'],
  ['words in a property', `${where}ecm:fulltext.dc:source = '${words(201)}'`, 200, 'queryMaxWords'],
  ['words of a simple query', `${where}ecm:fulltext = 'es: ${words(201)}'`, 200, 'queryMaxWords'],
  [
    'words of a simple query written out',
    `${where}ecm:fulltext = 'es: ${repeated(12, (at) => `(a${at} | b${at})`, ' + ')}'`,
    200,
    'queryMaxWords',
  ],
  [
    'beginnings of words of a simple query',
    `${where}ecm:fulltext = 'es: ${repeated(21, (at) => `w${at}*`, ' ')}'`,
    20,
    'queryMaxPrefixes',
  ],
  ['parentheses of a simple query', `${where}ecm:fulltext = 'es: ${'('.repeat(201)}a${')'.repeat(201)}'`, 200, 'parentheses'],
  ['beginnings of words', `${where}ecm:fulltext = '${repeated(21, (index) => `w${index}*`, ' OR ')}'`, 20, 'queryMaxPrefixes'],
  ['words much like others', `${where}${hint('fuzzy')} = '${words(11)}'`, 10, 'queryMaxFuzzyWords'],
  ['regular expressions', where + repeated(11, () => `${hint('regex')} = 'a.*'`, ' OR '), 10, 'queryMaxFuzzyWords'],
  ['words to be like', `${where}${hint('more_like_this')} = '${words(201)}'`, 200, 'queryMaxWords'],
  ['pattern characters', `${where}dc:title LIKE '${'x'.repeat(1_001)}'`, 1_000, 'queryMaxPatternCharacters'],
  ['pattern wildcards', `${where}dc:title ILIKE '${'%a'.repeat(51)}'`, 50, 'queryMaxPatternWildcards'],
  ['wildcards of a hint', `${where}${hint('wildcard')} = '${'*a'.repeat(51)}'`, 50, 'queryMaxPatternWildcards'],
  ['parentheses', `${where}${'('.repeat(201)}dc:title = 'x'${')'.repeat(201)}`, 200, 'parentheses'],
]

/** Doors that a query comes in by beside an address, which has a bound of its own. */
const doors = ['Repository.Query', 'Repository.ResultSetQuery']

onEachServer('a query that asks for more than is allowed', (server) => {
  before(() => server.addUser('bob', ['members']))
  const run = (operation: string, params: object) => server.as('bob').post(`/automation/${operation}`, { params, context: {} })

  for (const [name, query, bound, setting] of tooLarge) {
    for (const door of doors) {
      test(`is refused for its ${name} by ${door}, at once and with the bound`, async () => {
        const started = performance.now()
        const { status, body, text } = await run(door, { query, pageSize: 20 })
        assert.equal(status, 400, text.slice(0, 500))
        assert.match(body.message, new RegExp(`more than ${bound} .*${setting}`, 'i'))
        assert.ok(text.length < 10_000, `${text.length} characters of an answer`)
        assert.ok(performance.now() - started < 2_000)
      })
    }
  }

  test('is refused for its parameters, before anything is made of them', async () => {
    const many = Array.from({ length: 1_001 }, () => 'x')
    const query = 'SELECT * FROM File WHERE dc:title = ? OR dc:title = :name'
    const named = Object.fromEntries(many.map((value, index) => [`name${index}`, value]))
    for (const params of [{ queryParams: many }, { namedParameters: named }]) {
      const { status, body } = await run('Repository.Query', { query, ...params })
      assert.equal(status, 400)
      assert.match(body.message, /more than 1000 parameters.*queryMaxParameters/)
    }
    const long = await run('Repository.PageProvider', { providerName: 'nxql_search', queryParams: ['x'.repeat(200_001)] })
    assert.deepEqual([long.status, /200000 characters/.test(long.body.message)], [400, true])
    const sorted = await run('Repository.Query', {
      query: `${where}ecm:isVersion = 0`,
      sortBy: many.slice(0, 21).map(() => 'dc:title'),
    })
    assert.deepEqual([sorted.status, /more than 20 columns to order by/.test(sorted.body.message)], [400, true])
  })

  test('is refused for the fields to mark matches in', async () => {
    const fields = repeated(101, (index) => `f${index}`, ',')
    const { status, body } = await server.as('bob').get(`/search/pp/simple_search/execute?highlight=${fields}`)
    assert.deepEqual([status, /more than 100 columns/.test(body.message)], [400, true])
  })

  test('is refused for its words by the operations that suggest and fetch', async () => {
    const fetched = await run('Repository.Query', { query: `SELECT * FROM File WHERE ecm:fulltext = '${words(60_000)}'` })
    const byProperty = await run('Document.FetchByProperty', { property: 'dc:title', values: Array(10_001).fill('x') })
    assert.deepEqual([fetched.status, byProperty.status], [400, 400])
    const suggested = await run('Search.SuggestersLauncher', { searchTerm: words(60_000) })
    assert.ok(suggested.status < 500, suggested.text.slice(0, 300))
  })

  test('counts neither its types nor what functions are given among the items of its list', async () => {
    const items = repeated(9_999, (index) => `'none-${index}'`, ',')
    const beside = "dc:created < NOW('P1D') AND ecm:name IN"
    const { status, body } = await run('Repository.Query', {
      query: `SELECT * FROM Folder, Domain WHERE ${beside} ('default-domain', ${items})`,
    })
    assert.deepEqual([status, body.entries?.length], [200, 1], body.message?.slice(-200))
  })

  test('gives no more documents by a property than a page may have', async () => {
    const many = { property: 'ecm:primaryType', values: ['Folder', 'Workspace', 'WorkspaceRoot', 'Domain'] }
    const small = await server.as('Administrator').post('/automation/Document.FetchByProperty', { params: many, context: {} })
    assert.equal(small.status, 200)
    await server.asSystem(async (session) => {
      const parent = (await session.tx.documents.findByPath('/default-domain/workspaces')) ?? assert.fail()
      const folders = Array.from({ length: 1_001 }, (_, index) => aStoredChild(parent, `f${index}`, { type: 'Folder' }))
      await session.tx.documents.insertMany(folders)
    })
    const large = await server.as('Administrator').post('/automation/Document.FetchByProperty', { params: many, context: {} })
    assert.equal(large.status, 400)
    assert.match(large.body.message, /More than 1000 documents/)
  })

  test('while the largest that is allowed of each kind holds nobody up', async () => {
    const largest = [
      where + repeated(1_000, (index) => `dc:title <> 't${index}'`, ' AND '),
      where + repeated(1_000, (index) => `dc:source ILIKE '%t${index}%'`, ' OR '),
      `${where}dc:title IN (${repeated(10_000, (index) => `'title ${index}'`, ',')}) AND dc:created < NOW('P1D')`,
      `${where}ecm:fulltext = '${words(200)}'`,
      `${where}ecm:fulltext = '${repeated(20, (index) => `${String.fromCharCode(97 + index)}*`, ' OR ')}'`,
      where + repeated(50, (index) => `dc:subjects/*${index} LIKE '%s%'`, ' AND '),
      `${where}${repeated(199, (index) => `(dc:title = 'a' ${index % 2 === 0 ? 'AND' : 'OR'} `, '')}dc:title = 'x'${')'.repeat(199)}`,
      `SELECT ${repeated(100, () => 'dc:title', ',')} FROM File ORDER BY ${repeated(20, () => 'dc:title', ',')}`,
    ]
    for (const query of largest) {
      const before = process.threadCpuUsage()
      const { status, text } = await run('Repository.Query', { query, pageSize: 20 })
      const { user, system } = process.threadCpuUsage(before)
      assert.equal(status, 200, text.slice(-300))
      // Of the server's own thread, which also asks here; what others have to wait for is part of it.
      assert.ok(user + system < 500_000, `${(user + system) / 1_000} ms for ${query.slice(0, 80)}`)
    }
  })
})

onEachServer(
  'a query of as many conditions as are allowed',
  (server) => {
    for (const [name, condition, separator] of [
      ['values that a list is not to have', (index) => `dc:subjects <> 's${index}'`, ' AND '],
      ['values that a list is to have', (index) => `dc:subjects = 's${index}'`, ' AND '],
      ['beginnings that a list is not to have', (index) => `NOT dc:subjects STARTSWITH 's${index}'`, ' AND '],
      ['days that are ruled out', (index) => `NOT DATE(dc:created) = DATE '20${10 + (index % 90)}-01-01'`, ' AND '],
      ['paths that are ruled out', (index) => `ecm:path <> '/p${index}'`, ' AND '],
      ['facets that are ruled out', (index) => `ecm:mixinType <> 'F${index}'`, ' AND '],
      ['facets of which it has one', (index) => `ecm:mixinType = 'F${index}'`, ' OR '],
    ] satisfies [string, (index: number) => string, string][]) {
      test(`is answered where these are ${name}`, async () => {
        const query = where + repeated(1_000, condition, separator)
        const { status, text } = await server
          .as('Administrator')
          .post('/automation/Repository.Query', { params: { query, pageSize: 20 }, context: {} })
        assert.equal(status, 200, text.slice(-300))
      })
    }
  },
  { settings: { searchTimeLimit: '15s' } },
)

onEachServer(
  'a bound for the items of lists',
  (server) => {
    const run = (params: object) =>
      server.as('Administrator').post('/automation/Repository.Query', {
        params: { query: 'SELECT * FROM Domain WHERE dc:title IN (?) OR dc:title = :one', ...params },
        context: {},
      })

    test('is none for how many single values fill a query', async () => {
      const namedParameters = { one: 'Domain', two: '2', three: '3', four: '4' }
      const { status, body } = await run({ queryParams: ['x'], namedParameters })
      assert.deepEqual([status, body.resultsCount], [200, 1], body.message)
    })

    test('holds for a list among the values that fill a query', async () => {
      const { status, body } = await run({ queryParams: ['x'], namedParameters: { one: 'Domain', list: ['1', '2', '3', '4'] } })
      assert.deepEqual([status, /more than 3 items in lists/.test(body.message)], [400, true])
    })
  },
  { settings: { queryMaxListItems: 3 } },
)

test('the bounds that settings have are those that a query has without settings', () => {
  const settings: { readonly [name: string]: unknown } = readSettings([searchSettings], {})
  const named = Object.entries(defaultQueryLimits).map(([name, max]) => [
    `queryMax${name[0]?.toUpperCase()}${name.slice(1)}`,
    max,
  ])
  assert.deepEqual(
    named.map(([name]) => [name, settings[String(name)]]),
    named,
  )
})
