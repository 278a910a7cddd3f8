import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { alice, aSession } from '../../../../test/support/rendering.ts'
import type { PageProvider } from '../providers/page-provider.ts'
import { prepareSearch } from '../providers/prepare-search.ts'
import type { ProviderRequest } from '../providers/provider-request.ts'
import { unsortableColumn } from './effective-sort.ts'
import { tooManyParameters } from './fill-pattern.ts'

const title = { column: 'dc:title', isAscending: true }
const modified = { column: 'dc:modified', isAscending: false }

function queryOf(provider: Omit<PageProvider, 'name'>, request: ProviderRequest = {}): string {
  return prepareSearch(aSession([], { principal: alice }), { name: 'p', ...provider }, request).narrowed
}

describe('16.2 the query of a pattern', () => {
  const files = 'SELECT * FROM File'
  const rows: [what: string, provider: Omit<PageProvider, 'name'>, request: ProviderRequest, query: string][] = [
    ['is the pattern', { pattern: files }, {}, files],
    [
      'has the order of the provider',
      { pattern: files, sort: [title, modified] },
      {},
      `${files} ORDER BY dc:title, dc:modified DESC`,
    ],
    [
      'has the order of the request instead',
      { pattern: files, sort: [title] },
      { sort: [modified] },
      `${files} ORDER BY dc:modified DESC`,
    ],
    [
      'loses its own order to that of the request',
      { pattern: `${files} ORDER BY dc:title` },
      { sort: [modified] },
      `${files} ORDER BY dc:modified DESC`,
    ],
    ['keeps its own order otherwise', { pattern: `${files} ORDER BY dc:title` }, {}, `${files} ORDER BY dc:title`],
    [
      'names the first sorted column',
      { pattern: `${files} WHERE SORTED_COLUMN IS NOT NULL`, sort: [title, modified] },
      {},
      `${files} WHERE dc:title IS NOT NULL ORDER BY dc:title, dc:modified DESC`,
    ],
    [
      'names the id where nothing is sorted',
      { pattern: `${files} WHERE SORTED_COLUMN IS NOT NULL` },
      {},
      `${files} WHERE ecm:uuid IS NOT NULL`,
    ],
    [
      'is filled with ordered parameters',
      { pattern: `${files} WHERE dc:title = ?` },
      { parameters: ["it's"] },
      `${files} WHERE dc:title = 'it\\'s'`,
    ],
    [
      'is filled with named parameters',
      { pattern: `${files} WHERE dc:title = :title` },
      { named: { title: 'x' } },
      `${files} WHERE dc:title = 'x'`,
    ],
    [
      'is filled with properties of the search document',
      {
        pattern: `${files} WHERE dc:creator IN :dc_creator AND dc:modified > :dc_modified_min`,
        searchDocumentType: 'DefaultSearch',
      },
      { named: { dc_creator: '["a","b"]', dc_modified_min: '2024-01-01' } },
      `${files} WHERE dc:creator IN ('a', 'b') AND dc:modified > TIMESTAMP '2024-01-01 00:00:00'`,
    ],
    [
      'keeps a name without value',
      { pattern: `${files} WHERE dc:title = :title` },
      { named: { title: '' } },
      `${files} WHERE dc:title = :title`,
    ],
    ['without a pattern is about all documents', {}, {}, 'SELECT * FROM Document'],
  ]
  for (const [what, provider, request, query] of rows) test(what, () => assert.equal(queryOf(provider, request), query))

  test('refuses more parameters than it has places', () => {
    assert.throws(() => queryOf({ pattern: files }, { parameters: ['x'] }), tooManyParameters({ given: 1, places: 0 }))
  })

  test('refuses to be sorted by what is no column', () => {
    const sort = [{ column: 'dc:title LIMIT 1', isAscending: true }]
    assert.throws(() => queryOf({ pattern: files }, { sort }), unsortableColumn({ column: 'dc:title LIMIT 1' }))
  })
})

test('16.2 a sorted column of which no condition can be made is left out of the condition', () => {
  const provider = { pattern: 'SELECT * FROM File WHERE SORTED_COLUMN IS NOT NULL' }
  for (const column of ['ecm:path', 'ecm:fulltextScore']) {
    const query = queryOf(provider, { sort: [{ column, isAscending: true }] })
    assert.equal(query, `SELECT * FROM File WHERE ecm:uuid IS NOT NULL ORDER BY ${column}`)
  }
})

describe('16.2 quick filters of a pattern', () => {
  const quickFilters = [
    { name: 'mine', clause: "dc:creator = 'alice' OR dc:creator = 'al'" },
    { name: 'recent', sort: [modified] },
    { name: 'titled', clause: 'dc:title = :title', sort: [title] },
  ]
  const provider = {
    pattern: 'SELECT * FROM File WHERE a = 1 OR b = 1',
    quickFilters,
    sort: [{ column: 'ecm:name', isAscending: true }],
  }
  const rows: [active: readonly string[], request: ProviderRequest, query: string][] = [
    [[], {}, 'SELECT * FROM File WHERE a = 1 OR b = 1 ORDER BY ecm:name'],
    [['unknown'], {}, 'SELECT * FROM File WHERE a = 1 OR b = 1 ORDER BY ecm:name'],
    [['recent'], {}, 'SELECT * FROM File WHERE a = 1 OR b = 1 ORDER BY dc:modified DESC'],
    [['mine'], {}, "SELECT * FROM File WHERE (a = 1 OR b = 1) AND (dc:creator = 'alice' OR dc:creator = 'al') ORDER BY ecm:name"],
    [
      ['titled', 'recent'],
      { named: { title: 'x' } },
      "SELECT * FROM File WHERE (a = 1 OR b = 1) AND (dc:title = 'x') ORDER BY dc:title, dc:modified DESC",
    ],
    [['recent'], { sort: [title] }, 'SELECT * FROM File WHERE a = 1 OR b = 1 ORDER BY dc:title'],
  ]
  for (const [active, request, query] of rows) {
    test(`${active.join(', ') || 'none'} ${JSON.stringify(request)}`, () => {
      assert.equal(queryOf(provider, { ...request, quickFilters: active }), query)
    })
  }

  test('begin the condition where there is none', () => {
    const query = queryOf({ pattern: 'SELECT * FROM File', quickFilters }, { quickFilters: ['mine'] })
    assert.equal(query, "SELECT * FROM File WHERE dc:creator = 'alice' OR dc:creator = 'al'")
  })

  test('apply to a query that is itself a parameter', () => {
    const console = { pattern: '?', quotesParameters: false, escapesParameters: false, quickFilters }
    const query = queryOf(console, { parameters: ['SELECT * FROM File ORDER BY dc:title'], quickFilters: ['mine'] })
    assert.equal(query, "SELECT * FROM File WHERE dc:creator = 'alice' OR dc:creator = 'al' ORDER BY dc:title")
  })
})

describe('16.2 the query of a where clause', () => {
  const predicates = [
    { property: 'dc:title', operator: '=', fields: [{ name: 'title' }] },
    { property: 'dc:creator', operator: '=', fields: [{ name: 'creator' }] },
  ]
  const quickFilters = [{ name: 'mine', clause: "dc:creator = 'alice'" }]
  const both = { title: 'x', creator: 'y' }
  const rows: [what: string, provider: Omit<PageProvider, 'name'>, request: ProviderRequest, query: string][] = [
    ['without anything has no condition', { whereClause: { predicates } }, {}, 'SELECT * FROM Document'],
    [
      'joins the predicates',
      { whereClause: { predicates } },
      { named: both },
      "SELECT * FROM Document WHERE dc:title = 'x' AND dc:creator = 'y'",
    ],
    [
      'is the fixed part alone',
      { whereClause: { predicates, fixedPart: 'a = 1 OR b = 1' } },
      {},
      'SELECT * FROM Document WHERE a = 1 OR b = 1',
    ],
    [
      'has the fixed part behind the predicates',
      { whereClause: { predicates, fixedPart: 'a = 1 OR b = 1' } },
      { named: { title: 'x' } },
      "SELECT * FROM Document WHERE dc:title = 'x' AND (a = 1 OR b = 1)",
    ],
    [
      'fills the fixed part',
      { whereClause: { predicates, fixedPart: 'a = ?' } },
      { parameters: ['x'] },
      "SELECT * FROM Document WHERE a = 'x'",
    ],
    [
      'has its own statement',
      { whereClause: { predicates, selectStatement: 'SELECT * FROM File' } },
      { named: { title: 'x' } },
      "SELECT * FROM File WHERE dc:title = 'x'",
    ],
    [
      'has quick filters with the fixed part',
      { whereClause: { predicates, fixedPart: 'a = 1' }, quickFilters },
      { quickFilters: ['mine'], named: { title: 'x' } },
      "SELECT * FROM Document WHERE dc:title = 'x' AND ((a = 1) AND (dc:creator = 'alice'))",
    ],
    [
      'has quick filters without one',
      { whereClause: { predicates }, quickFilters },
      { quickFilters: ['mine'] },
      "SELECT * FROM Document WHERE dc:creator = 'alice'",
    ],
    [
      'is sorted',
      { whereClause: { predicates, fixedPart: 'SORTED_COLUMN IS NOT NULL' }, sort: [title] },
      {},
      'SELECT * FROM Document WHERE dc:title IS NOT NULL ORDER BY dc:title',
    ],
  ]
  for (const [what, provider, request, query] of rows) test(what, () => assert.equal(queryOf(provider, request), query))
})

describe('14.1 names that stand for who asks', () => {
  test('are filled in as ordered and as named parameters', () => {
    const pattern = 'SELECT * FROM File WHERE dc:creator = ? AND dc:title = :where'
    const request = { parameters: ['$currentUser'], named: { where: '$currentRepository' } }
    assert.equal(queryOf({ pattern }, request), "SELECT * FROM File WHERE dc:creator = 'alice' AND dc:title = 'default'")
  })

  test('mean nothing inside a longer text', () => {
    assert.equal(
      queryOf({ pattern: 'SELECT * FROM File WHERE a = ?' }, { parameters: ['$currentUsers'] }),
      "SELECT * FROM File WHERE a = '$currentUsers'",
    )
  })
})

describe('16.1 parameters of a definition', () => {
  const provider = {
    pattern: 'SELECT * FROM File WHERE a = ? AND b = ?',
    parameters: ['#{currentUser.name}', '#{currentDocument.id}'],
  }

  test('fill what the client leaves', () => {
    assert.equal(queryOf(provider, { parameters: ['x'] }), "SELECT * FROM File WHERE a = 'x' AND b = 'alice'")
  })

  test('are of the document at which the search starts', () => {
    const request = { currentDocument: { id: 'folder-1' } as ProviderRequest['currentDocument'] & object }
    assert.equal(queryOf(provider, request), "SELECT * FROM File WHERE a = 'alice' AND b = 'folder-1'")
  })

  test('that are not known end the query', () => {
    assert.equal(queryOf(provider), "SELECT * FROM File WHERE a = 'alice' AND b = ")
  })
})
