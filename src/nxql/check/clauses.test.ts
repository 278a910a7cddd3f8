import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryModel } from '../../../test/support/nxql/query-model.ts'
import { compileQuery } from '../compile-query.ts'

const compile = (text: string) => compileQuery(queryModel, text)

describe('FROM', () => {
  const typesOf = (from: string) => compile(`SELECT * FROM ${from}`).from.types

  test('names a type and all that extend it', () => assert.deepEqual(typesOf('File'), ['File', 'UserInvitation', 'Specimen']))

  test('joins several types', () => assert.deepEqual(typesOf('TYPE Note, Audio'), ['Note', 'Audio', 'WebTemplateSource']))

  test('finds every type but the root and relations for documents, in any case', () => {
    for (const spelling of ['Document', 'document', 'DOCUMENT']) {
      const types = typesOf(spelling)
      const has = ['Document', 'File', 'Folder', 'Root', 'Relation', 'CommentRelation'].map((type) => types.includes(type))
      assert.deepEqual(has, [true, true, true, false, false, false])
    }
  })

  test('finds relations apart', () => {
    const types = typesOf('Relation')
    assert.deepEqual([types.includes('Relation'), types.includes('CommentRelation'), types.includes('File')], [true, true, false])
  })

  test('never finds the root, not even by its name', () => assert.deepEqual(typesOf('Root'), []))

  test('says what the other types are', () => {
    const { types, otherTypes } = compile('SELECT * FROM Folder').from
    assert.deepEqual([...types, ...otherTypes].sort(), [...queryModel.types.keys()].sort())
    assert.ok(otherTypes.includes('Root'))
  })
})

describe('SELECT', () => {
  const columnsOf = (text: string) => {
    const { selection } = compile(text)
    return selection.kind === 'columns' && selection.columns.map(({ key, value }) => [key, value.identity])
  }

  test('* is documents', () => assert.deepEqual(compile('SELECT * FROM File').selection, { kind: 'documents' }))

  test('columns have the key that is written, or their alias', () =>
    assert.deepEqual(columnsOf('SELECT ecm:uuid, filename, content/name AS n, ecm:lock, ecm:path, ecm:tag FROM File'), [
      ['ecm:uuid', 'ecm:uuid'],
      ['filename', 'file:content/name'],
      ['n', 'file:content/name'],
      ['ecm:lock', 'ecm:lockOwner'],
      ['ecm:path', 'ecm:path'],
      ['ecm:tag', 'nxtag:tags/*0/label'],
    ]))

  test('functions of all rows have a type of their own', () => {
    const { selection } = compile(
      'SELECT count(dc:title), SUM(my:long), avg(my:long), MIN(dc:created) AS first, MAX(my:double) FROM File',
    )
    assert.deepEqual(selection.kind === 'totals' && selection.totals.map((total) => [total.key, total.function, total.type]), [
      ['COUNT(dc:title)', 'COUNT', 'long'],
      ['SUM(my:long)', 'SUM', 'long'],
      ['AVG(my:long)', 'AVG', 'double'],
      ['first', 'MIN', 'date'],
      ['MAX(my:double)', 'MAX', 'double'],
    ])
  })

  test('shares wildcards with the other clauses', () => {
    const { bindings } = compile("SELECT dc:subjects/*1 FROM File WHERE dc:subjects/*1 = 'a' ORDER BY dc:subjects/*1")
    assert.equal(bindings.length, 1)
  })
})

describe('ORDER BY', () => {
  const orderOf = (text: string) =>
    compile(text).order.map(({ value, isDescending }) => `${value.identity}${isDescending ? ' desc' : ''}`)

  test('sorts by several columns, ascending unless they say otherwise', () =>
    assert.deepEqual(
      orderOf('SELECT * FROM File ORDER BY ecm:path, dc:title DESC, p:people/0/last ASC, dc:subjects/0, dc:title'),
      ['ecm:path', 'dc:title desc', 'p:people/0/last', 'dc:subjects/0', 'dc:title'],
    ))

  test('sorts by a column under its alias, and by a selected wildcard as it is selected', () => {
    assert.deepEqual(orderOf('SELECT DISTINCT dc:title AS t FROM File ORDER BY t'), ['dc:title'])
    assert.deepEqual(orderOf('SELECT DISTINCT dc:subjects/* FROM File ORDER BY dc:subjects/*'), ['dc:subjects/*0'])
  })

  test('may differ from the columns of a query that is not distinct', () =>
    assert.deepEqual(orderOf('SELECT dc:title FROM File ORDER BY ecm:pos'), ['ecm:pos']))

  test('means nothing for a single row', () =>
    assert.deepEqual(orderOf('SELECT COUNT(dc:title) FROM File ORDER BY dc:title'), []))

  const best = 'ecm:fulltextScore desc'
  const implicit: { readonly [query: string]: readonly string[] } = {
    "SELECT * FROM File WHERE ecm:fulltext = 'a'": [best],
    "SELECT dc:title FROM File WHERE dc:title = 'b' AND ecm:fulltext_title = 'a'": [best],
    "SELECT * FROM File WHERE ecm:fulltext = 'a' ORDER BY dc:title": ['dc:title'],
    "SELECT DISTINCT * FROM File WHERE ecm:fulltext = 'a'": [],
    "SELECT COUNT(dc:title) FROM File WHERE ecm:fulltext = 'a'": [],
    "SELECT * FROM File WHERE NOT ecm:fulltext = 'a'": [],
    "SELECT * FROM File WHERE NOT NOT ecm:fulltext = 'a'": [best],
    "SELECT * FROM File WHERE ecm:fulltext = 'a' AND ecm:fulltext = 'b'": [],
    "SELECT * FROM File WHERE ecm:fulltext.dc:source = 'a'": [],
    'SELECT * FROM File': [],
  }
  for (const [query, order] of Object.entries(implicit)) {
    test(`${query} is in ${order.length === 0 ? 'no' : order.join()} order`, () => assert.deepEqual(orderOf(query), order))
  }
})

describe('LIMIT', () => {
  test('and OFFSET cap the result', () => {
    const { limit, offset } = compile('SELECT * FROM File LIMIT 10 OFFSET 5')
    assert.deepEqual([limit, offset], [10, 5])
  })

  test('is absent when none was given', () => {
    const { limit, offset } = compile('SELECT * FROM File')
    assert.deepEqual([limit, offset], [undefined, 0])
  })

  test('beyond all rows is a number all the same', () =>
    assert.equal(compile('SELECT * FROM File LIMIT 9223372036854775807').limit, Number.MAX_SAFE_INTEGER))
})
