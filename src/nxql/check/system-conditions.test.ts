import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryModel } from '../../../test/support/nxql/query-model.ts'
import { found, worldWithSpecimen } from '../../../test/support/nxql/world.ts'
import { compileQuery } from '../compile-query.ts'
import type { Formula } from '../formula.ts'
import { defaultQuerySettings } from '../query-settings.ts'

const whereOf = (where: string, settings = defaultQuerySettings) =>
  compileQuery(queryModel, `SELECT * FROM File WHERE ${where}`, { settings }).where

describe('places', () => {
  const rows: readonly (readonly [string, Formula])[] = [
    ["ecm:path = '/a/b/'", { kind: 'path', relation: 'at', path: '/a/b', negated: false }],
    ["'/a' <> ecm:path", { kind: 'path', relation: 'at', path: '/a', negated: true }],
    ["ecm:path STARTSWITH '/'", { kind: 'path', relation: 'below', path: '/', negated: false }],
    ["ecm:path STARTSWITH '/a/'", { kind: 'path', relation: 'below', path: '/a', negated: false }],
    ["ecm:ancestorId <> 'x'", { kind: 'ancestor', id: 'x', negated: true }],
  ]
  for (const [where, atom] of rows) test(where, () => assert.deepEqual(whereOf(where), atom))
})

describe('facets', () => {
  const facetsOf = (where: string) => {
    const atom = whereOf(where)
    if (atom.kind !== 'facet') throw new Error(`No facet: ${atom.kind}`)
    return atom
  }

  test('are those of the types and those given to a document', () => {
    const { types, facets } = facetsOf("ecm:mixinType = 'Downloadable'")
    const has = ['File', 'Specimen', 'Note'].map((type) => types.includes(type))
    assert.deepEqual([has, facets], [[true, true, false], ['Downloadable']])
  })

  test('of types only are not looked for on documents', () => {
    const { types, facets } = facetsOf("ecm:mixinType IN ('Folderish', 'Commentable')")
    const has = ['Folder', 'Note', 'Relation'].map((type) => types.includes(type))
    assert.deepEqual([has, facets], [[true, true, false], ['Commentable']])
  })

  test('that nothing is stored with are on nothing', () =>
    assert.deepEqual(facetsOf("ecm:mixinType <> 'Immutable'"), { kind: 'facet', types: [], facets: [], negated: true }))

  test('that do not exist are on nothing, and no mistake', () =>
    assert.deepEqual(facetsOf("ecm:mixinType = 'Shiny'"), { kind: 'facet', types: [], facets: ['Shiny'], negated: false }))
})

describe('full text', () => {
  const indexOf = (where: string, settings = defaultQuerySettings) => {
    const atom = whereOf(where, settings)
    return atom.kind === 'fulltext' ? atom.index : atom.kind
  }

  test('asks an index by its name, or by the one property that it has', () => {
    assert.equal(indexOf("ecm:fulltext = 'a'"), 'default')
    assert.equal(indexOf("ecm:fulltext LIKE 'a'"), 'default')
    assert.equal(indexOf("'a' = ecm:fulltext"), 'default')
    assert.equal(indexOf("ecm:fulltext_description = 'a'"), 'description')
    assert.equal(indexOf("ecm:fulltext.dc:title = 'a'"), 'title')
  })

  test('does not take an index that has other properties too', () => {
    const fulltextIndexes = new Map([['both', ['dc:title', 'dc:source']]])
    assert.equal(indexOf("ecm:fulltext.dc:title = 'a'", { ...defaultQuerySettings, fulltextIndexes }), 'value')
  })

  const world = worldWithSpecimen({ 'dc:source': 'The First Report of Café Noir', 'dc:subjects': ['one fox', 'two dogs'] })
  const inText = {
    "ecm:fulltext.dc:source = 'FIRST rep'": 's',
    "ecm:fulltext.dc:source = 'rep first'": '',
    "ecm:fulltext.dc:source = 'café'": 's',
    "ecm:fulltext.dc:source = 'cafe'": '',
    "ecm:fulltext.dc:source = 'first -noir'": '',
    "ecm:fulltext.dc:source = 'first -blanc'": 's',
    "ecm:fulltext.dc:source = 'zebra OR noir'": 's',
    "ecm:fulltext.dc:source = ': '": '',
    "ecm:fulltext.dc:source = ''": '',
    "ecm:fulltext.dc:source = '℡'": '',
    "ecm:fulltext.dc:subjects = 'fox'": 's',
    "ecm:fulltext.dc:subjects = 'fox dogs'": '',
  }
  for (const [where, ids] of Object.entries(inText)) {
    test(`looks into a property that no index has alone: ${where}`, () =>
      assert.equal(found(`SELECT * FROM Specimen WHERE ${where}`, world).join(' '), ids))
  }
})

describe('hints', () => {
  const hinted = (where: string) => {
    const atom = whereOf(where)
    return atom.kind === 'hinted' ? { ...atom, references: atom.references.map(({ identity }) => identity) } : atom.kind
  }

  test('put their own operator in the place of the written one', () =>
    assert.deepEqual(
      hinted("/*+ES: INDEX(dc:title.fulltext^3,dc:source) OPERATOR(match_phrase_prefix) */ dc:title <> 'Ann rep'"),
      {
        kind: 'hinted',
        references: ['dc:title', 'dc:source'],
        match: { kind: 'phrase', words: ['ann', 'rep'], isPrefix: true },
        negated: false,
      },
    ))

  test('without an index mean the property they stand before', () =>
    assert.deepEqual(hinted("/*+ES: OPERATOR(match) */ ecm:fulltext.dc:title LIKE 'Zoé b'"), {
      kind: 'hinted',
      references: ['dc:title'],
      match: { kind: 'words', words: ['zoe', 'b'] },
      negated: false,
    }))

  test('know fuzzy words, wildcards, regular expressions and likeness', () => {
    const matchOf = (operator: string, value: string) => {
      const atom = whereOf(`/*+ES: OPERATOR(${operator}) */ dc:title IN (${value})`)
      return atom.kind === 'hinted' && atom.match
    }
    assert.deepEqual(matchOf('match_phrase', "'A b'"), { kind: 'phrase', words: ['a', 'b'], isPrefix: false })
    assert.deepEqual(matchOf('fuzzy', "'Foks'"), { kind: 'fuzzy', words: ['foks'] })
    assert.deepEqual(matchOf('regex', "'a.*', 'b'"), { kind: 'regex', expressions: ['a.*', 'b'] })
    assert.deepEqual(matchOf('more_like_this', "'id'"), { kind: 'similar', to: ['id'] })
    assert.deepEqual(matchOf('wildcard', "'a**b?'"), {
      kind: 'wildcard',
      patterns: [[{ kind: 'text', text: 'a' }, { kind: 'run' }, { kind: 'text', text: 'b' }, { kind: 'one' }]],
    })
  })

  const untouched = {
    'no operator': "/*+ES: INDEX(dc:source) ANALYZER(x) */ dc:title = 'a'",
    'an operator of an index engine alone': "/*+ES: OPERATOR(geo_shape) */ dc:title = 'a'",
    'nothing to match': '/*+ES: OPERATOR(match) */ dc:title IS NULL',
    'no word to match': "/*+ES: OPERATOR(match_phrase_prefix) */ dc:title ILIKE '%'",
  }
  for (const [name, where] of Object.entries(untouched)) {
    test(`with ${name} leave the predicate as it is written`, () => assert.equal(hinted(where), 'value'))
  }

  test('that name the level of a path ask for its segment', () => {
    const atLevel = (names: string) => whereOf(`/*+ES: INDEX(ecm:path@level2) */ ecm:path ${names}`)
    assert.deepEqual(atLevel("= 'a'"), { kind: 'segment', depth: 2, names: ['a'], negated: false })
    assert.deepEqual(atLevel("IN ('a', 'b')"), { kind: 'segment', depth: 2, names: ['a', 'b'], negated: false })
    assert.equal(atLevel("STARTSWITH '/a'").kind, 'path')
  })

  test('leave a match of a whole index as it is written', () =>
    assert.equal(hinted("/*+ES: OPERATOR(match) */ ecm:fulltext = 'a'"), 'fulltext'))
})
