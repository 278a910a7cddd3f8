import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryModel } from '../../test/support/nxql/query-model.ts'
import { aWorld, found, publishedWorld, rowsOf, type World, worldWithSpecimen } from '../../test/support/nxql/world.ts'
import * as worked from '../../test/support/worked-query-table.ts'
import type { Document } from '../model/document.ts'
import { type Ace, deny, grant } from '../model/rights/acl.ts'
import { compileQuery } from './compile-query.ts'

function finds(rows: readonly worked.Expectation[], world: World = aWorld()) {
  for (const [number, written, names] of rows) {
    const query = withIds(written)
    test(`${number} ${query}`, () => assert.equal(found(`SELECT * FROM ${query}`, world).join(' '), names))
  }
}

/** In a world the id of a document is its name. */
function withIds(query: string): string {
  return query.replace(/<(\w+)>/g, '$1')
}

describe('types and system properties', () => finds(worked.types))

describe('values', () => finds(worked.values))

describe('an unset boolean', () => finds(worked.unset, worldWithSpecimen({})))

describe('lists', () => finds(worked.lists))

describe('places', () => {
  finds(worked.places)
  finds(
    worked.moved,
    aWorld({
      beta: { path: '/alpha/beta', parentId: 'alpha' },
      gamma: { path: '/alpha/beta/gamma' },
      f4: { path: '/alpha/beta/gamma/f4' },
    }),
  )
})

describe('dates', () => {
  finds(worked.dates)
  // Of the folders of a world, beta alone tells when it was modified.
  finds([
    [42, "Folder WHERE dc:modified > NOW('-PT1H')", 'beta'],
    [43, "Folder WHERE dc:modified < NOW('P1D') AND dc:modified > NOW('-P1D')", 'beta'],
  ])
})

describe('versions and proxies', () => finds(worked.published, publishedWorld()))

describe('locks and trash', () => {
  const lockedByBob = aWorld({ f1: { lock: { owner: 'bob', created: '2024-01-01T00:00:00.000Z' } } })
  finds(worked.locked, lockedByBob)
  // On a server it is the system that locks f1.
  finds([[60, "Document WHERE ecm:lock = 'bob'", 'f1']], lockedByBob)
  finds(worked.trashed, aWorld({ f1: { isTrashed: true } }))
})

describe('patterns', () => {
  const titled = (title: string): Partial<Document> => ({ type: 'File', properties: { 'dc:title': title } })
  finds(worked.patterns, aWorld({ k1: titled('fo%'), k2: titled('foo'), k3: titled('fo\\') }))
})

describe('full text', () => finds(worked.words))

describe('rights', () => {
  const withEntries = (...aces: readonly Ace[]) => aWorld({ alpha: { acls: [{ name: 'local', aces }] } })
  finds(worked.rights, withEntries(grant('bob', 'Browse'), grant('steve', 'Read')))
  // On a server none of the entries denies, and none has ended.
  finds(
    [
      [83, "Document WHERE ecm:acl/*1/principal = 'Everyone' AND ecm:acl/*1/grant = 0", 'alpha'],
      [83, 'Document WHERE ecm:acl/*1/status = 2', 'alpha'],
    ],
    withEntries(deny('Everyone', 'Everything'), grant('bob', 'Read', { end: '2020-01-01T00:00:00.000Z' })),
  )
})

describe('tags', () => {
  const tagged = (...labels: string[]) => ({ properties: { 'nxtag:tags': labels.map((label) => ({ label, username: 'bob' })) } })
  finds(worked.tags, aWorld({ f1: tagged('red', 'big'), f2: tagged('red') }))
})

describe('lists of complex items', () => {
  const world = worldWithSpecimen({
    'dc:title': 'T',
    'p:people': [
      { first: 'John', last: 'Doe' },
      { first: 'Ann', last: 'Ray' },
    ],
  })
  finds(worked.people, world)
  test('94 a correlated wildcard selects the members of the same item', () =>
    assert.deepEqual(rowsOf('SELECT p:people/*1/first, p:people/*1/last FROM Specimen', world), [
      ['John', 'Doe'],
      ['Ann', 'Ray'],
    ]))
})

describe('record sets', () => {
  test('95 a wildcard at the end makes a row of each item', () =>
    assert.deepEqual(rowsOf("SELECT dc:subjects/* FROM File WHERE ecm:name = 'f1'"), [['foo'], ['gee/moo']]))

  test('a wildcard at the end makes no row of an empty list', () =>
    assert.deepEqual(rowsOf("SELECT dc:subjects/* FROM File WHERE ecm:name = 'f2'"), []))

  test('wildcards that are not correlated multiply rows', () => {
    const world = worldWithSpecimen({ 'dc:subjects': ['foo', 'zoo', 'bar'] })
    assert.equal(rowsOf("SELECT dc:subjects/* FROM Specimen WHERE dc:subjects/* LIKE '%oo'", world).length, 6)
    assert.deepEqual(rowsOf("SELECT dc:subjects/*1 FROM Specimen WHERE dc:subjects/*1 LIKE '%oo'", world), [['foo'], ['zoo']])
  })

  test('96 the first column can be any property', () =>
    assert.deepEqual(rowsOf("SELECT dc:source FROM File WHERE ecm:name = 'f1'"), [[null]]))

  test('98 a total has the key of its function', () => {
    const { selection } = compileQuery(queryModel, 'SELECT COUNT(dc:title) FROM File')
    assert.equal(selection.kind === 'totals' && selection.totals[0]?.key, 'COUNT(dc:title)')
  })
})

describe('mistakes', () => {
  for (const [number, query, reason] of worked.mistakes) {
    test(`${number} ${query} is refused`, () =>
      assert.throws(() => compileQuery(queryModel, query), {
        code: 'failedQuery',
        message: `Failed to execute query: ${query}, ${reason}`,
      }))
  }
})

describe('retention', () =>
  finds(worked.retention, aWorld({ f1: { isRecord: true, retainUntil: '2100-01-01T00:00:00.000Z', hasLegalHold: true } })))
