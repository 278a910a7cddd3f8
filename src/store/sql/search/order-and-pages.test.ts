import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { shelfWith } from '../../../../test/support/shelf.ts'

const titled = (title: string | null, source: string, acpId = 1) => ({
  acpId,
  properties: { 'dc:title': title, 'dc:source': source },
})

onEachEngine('the order of what is found', (engine) => {
  const open = shelfWith(engine, {
    d: titled('b', '2'),
    c: titled(null, '1'),
    b: titled('a', '2', 2),
    a: titled('B', '1'),
    e: titled('b', '1', 2),
  })
  const orders = (name: string, ...expectations: readonly (readonly [order: string, names: string])[]) =>
    test(name, async () => {
      const shelf = await open()
      for (const [order, names] of expectations) assert.equal(await shelf.find(`SELECT * FROM Specimen ${order}`), names, order)
    })

  orders('9 without ORDER BY is that of creation', ['', 'd c b a e'])
  orders(
    '9 is by code point, nulls first when ascending and last when descending, and alike ones in the order of creation',
    ['ORDER BY dc:title', 'c a b d e'],
    ['ORDER BY dc:title DESC', 'd e b a c'],
    ['ORDER BY dc:source', 'c a e d b'],
    ['ORDER BY dc:format DESC', 'd c b a e'],
  )
  orders(
    '9 goes by several keys, each in its own direction',
    ['ORDER BY dc:source, dc:title DESC', 'e a c d b'],
    ['ORDER BY dc:source DESC, dc:title', 'b d c a e'],
    ['ORDER BY dc:title, dc:title DESC', 'c a b d e'],
  )
  orders(
    '9 goes by what the system knows',
    ['ORDER BY ecm:name', 'a b c d e'],
    ['ORDER BY ecm:path DESC', 'e d c b a'],
    ['ORDER BY ecm:uuid', 'a b c d e'],
    ["WHERE ecm:path STARTSWITH '/' ORDER BY ecm:path", 'a b c d e'],
    ['ORDER BY uid:major_version, ecm:isVersion, ecm:name DESC', 'e d c b a'],
  )

  test('9 LIMIT and OFFSET of the query cap the result before it is paged and counted', async () => {
    const shelf = await open()
    const capped = 'SELECT * FROM Specimen ORDER BY ecm:name LIMIT 3 OFFSET 1'
    assert.equal(await shelf.find(capped), 'b c d')
    assert.equal(await shelf.find(capped, { offset: 1, limit: 1 }), 'c')
    assert.equal(await shelf.find(capped, { offset: 2, limit: 5 }), 'd')
    assert.equal(await shelf.find(capped, { offset: 3, limit: 5 }), '')
    assert.equal(await shelf.count(capped), 3)
    assert.equal(await shelf.count('SELECT * FROM Specimen LIMIT 100 OFFSET 4'), 1)
    assert.equal(await shelf.find('SELECT * FROM Specimen LIMIT 0'), '')
  })

  test('pages follow each other without gap or overlap', async () => {
    const shelf = await open()
    const query = 'SELECT * FROM Specimen ORDER BY dc:title'
    const pages = [0, 2, 4, 6].map((offset) => shelf.find(query, { offset, limit: 2 }))
    assert.deepEqual(await Promise.all(pages), ['c a', 'b d', 'e', ''])
  })

  test('a count goes up to its limit and no further', async () => {
    const shelf = await open()
    assert.deepEqual(
      await Promise.all([undefined, 10, 5, 3, 0].map((limit) => shelf.count('SELECT * FROM Specimen', limit))),
      [5, 5, 5, 3, 0],
    )
  })

  test('3 only what has a readable list of entries is found and counted', async () => {
    const shelf = await open()
    assert.equal(await shelf.find('SELECT * FROM Specimen ORDER BY ecm:name', { readableAcps: [2] }), 'b e')
    assert.equal(await shelf.find('SELECT * FROM Specimen', { readableAcps: [] }), '')
  })
})

onEachEngine('a page of what an index finds', (engine) => {
  const many = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, index) => [
      `n${String(index).padStart(4, '0')}`,
      {
        type: index % 500 === 7 ? 'Note' : 'Specimen',
        properties: {
          'dc:title': `t${(index * 7919) % 1_500}`,
          'dc:description': index % 2 === 0 ? 'even words' : 'odd words',
          'dc:subjects': [index % 2 === 0 ? 'even' : 'odd', `s${index % 300}`],
        },
      },
    ]),
  )
  const open = shelfWith(engine, many)
  const conditions = [
    "ecm:path STARTSWITH '/'",
    "ecm:ancestorId = 'root'",
    "dc:subjects = 'even'",
    "dc:subjects/* IN ('even', 'odd')",
    "dc:subjects = 's7'",
    "ecm:fulltext = 'even'",
    "ecm:fulltext = 'words' AND dc:subjects = 'odd'",
    "dc:title LIKE 't1%'",
    "dc:title >= 't1490' AND dc:subjects = 'even'",
    "dc:created IS NULL AND dc:title > 't2'",
  ]

  test('is the same whether many documents or few fulfil its conditions, and with whichever of them it starts', async () => {
    const shelf = await open()
    for (const from of ['Document', 'Note', 'Specimen']) {
      for (const condition of conditions) {
        for (const order of ['', 'ORDER BY dc:title DESC', 'ORDER BY dc:description, dc:title']) {
          const query = `SELECT * FROM ${from} WHERE ${condition} ${condition.includes('fulltext') && order === '' ? 'ORDER BY ecm:uuid' : order}`
          const all = (await shelf.find(query)).split(' ').filter((name) => name !== '')
          assert.equal(await shelf.find(query, { offset: 0, limit: 10 }), all.slice(0, 10).join(' '), query)
          assert.equal(await shelf.find(query, { offset: 3, limit: 700 }), all.slice(3, 703).join(' '), query)
          assert.equal(await shelf.count(query), all.length, query)
          const { names, hasMore, total = all.length } = await shelf.page(query, { offset: 3, limit: 10 })
          assert.deepEqual(
            { names, hasMore, total },
            { names: all.slice(3, 13).join(' '), hasMore: all.length > 13, total: all.length },
          )
        }
      }
    }
  })

  test('tells how many there are where all that match words have to be looked at, with LIMIT and OFFSET of the query', async () => {
    const shelf = await open()
    for (const [query, total] of [
      ["SELECT * FROM Specimen WHERE ecm:fulltext = 'even'", 750],
      ["SELECT * FROM Specimen WHERE ecm:fulltext = 'even' LIMIT 20", 20],
      ["SELECT * FROM Specimen WHERE ecm:fulltext = 'even' LIMIT 20 OFFSET 740", 10],
    ] as const) {
      const page = await shelf.page(query, { offset: 2, limit: 5 })
      const all = (await shelf.find(query)).split(' ')
      assert.deepEqual(page, { names: all.slice(2, 7).join(' '), hasMore: true, total }, query)
      assert.equal(await shelf.count(query), total, query)
    }
  })
})
