import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../../test/support/model/builtin-model.ts'
import { findProviderMistake } from './check-provider.ts'
import type { PageProvider } from './page-provider.ts'

function mistakeIn(provider: Partial<PageProvider>): string | undefined {
  return findProviderMistake({ name: 'p', ...provider }, builtinModel)
}

const fields = [{ schema: 'default_search', name: 'ecm_fulltext' }]

describe('a page provider', () => {
  const rows: [provider: Partial<PageProvider>, mistake: string][] = [
    [{ name: '' }, 'has no name'],
    [{ pattern: 'x', whereClause: { predicates: [] } }, 'has a pattern and a where clause: keep one'],
    [{ searchDocumentType: 'Nothing' }, 'has the search document type Nothing, which does not exist'],
    [{ whereClause: { documentType: 'Nothing', predicates: [] } }, 'has the search document type Nothing, which does not exist'],
    [{ pageSize: -1 }, 'has a page size that is no whole number from 0 on'],
    [{ maxPageSize: 1.5 }, 'has a largest page size that is no whole number'],
    [{ maxResults: 'ALL' as 'PAGE_SIZE' }, 'has maxResults ALL, which is no number'],
    [{ sort: [{ column: 'dc:title DESC', isAscending: true }] }, 'sorts by dc:title DESC, which is no column'],
    [{ quickFilters: [{ name: 'a' }, { name: 'a' }] }, 'has the quick filter a twice'],
    [
      {
        aggregates: [
          { id: 'a', type: 'terms', field: 'dc:nature' },
          { id: 'a', type: 'terms', field: 'dc:nature' },
        ],
      },
      'has the aggregate a twice',
    ],
    [{ parameters: ['#{currentMoon}'] }, 'has the parameter #{currentMoon}, which means nothing'],
    [
      { whereClause: { predicates: [{ property: 'dc:title', operator: 'ABOUT', fields: [{ name: 'x' }] }] } },
      'has a predicate on dc:title with the unsupported operator ABOUT',
    ],
    [
      { whereClause: { predicates: [{ property: 'dc:title', operator: '=', fields: [] }] } },
      'has a predicate on dc:title without a field',
    ],
    [
      { whereClause: { predicates: [{ property: 'dc:title', operator: '=', fields }] } },
      'has a predicate on dc:title that asks for default_search:ecm_fulltext, which the search document has not',
    ],
    [
      { whereClause: { predicates: [{ property: 'dc:titel', operator: '=', fields: [{ name: 'x' }] }] } },
      'has a predicate on dc:titel that asks for an unknown property',
    ],
    [
      { pattern: 'SELECT * FORM Document' },
      'has a query that is wrong at “FORM Document”: Syntax error: Invalid token <FORM> at offset 9',
    ],
    [{ pattern: 'SELECT * FROM Dokument' }, 'has a query that is wrong at “Dokument”: Unknown type: Dokument'],
    [
      { pattern: 'SELECT * FROM Document WHERE dc:created > :since AND dc:titel = ? AND ecm:isTrashed = 0' },
      "has a query that is wrong at “dc:titel = 'x' AND ecm:isTrashed = 0”: No such property: dc:titel",
    ],
    [
      { pattern: 'SELECT * FROM Document WHERE' },
      'has a query that is wrong at its end: Syntax error: Invalid token <EOF> at offset 28',
    ],
    [
      { sort: [{ column: 'dc:titel', isAscending: true }] },
      'has a query that is wrong at “dc:titel”: No such property: dc:titel',
    ],
    [
      { whereClause: { fixedPart: 'dc:titel = ?', predicates: [] } },
      "has a query that is wrong at “dc:titel = 'x'”: No such property: dc:titel",
    ],
    [
      { quickFilters: [{ name: 'mine', clause: 'dc:creatr = :me' }] },
      "has the quick filter mine, with which its query is wrong at “dc:creatr = 'x'”: No such property: dc:creatr",
    ],
    [{ aggregates: [{ id: 'a', type: 'terms', field: 'my:colour' }] }, 'has the aggregate a of my:colour, which does not exist'],
    [
      { aggregates: [{ id: 'a', type: 'date_histogram', field: 'dc:modified' }] },
      'has the aggregate a: interval property must be defined for a',
    ],
    [
      { aggregates: [{ id: 'a', type: 'median' as 'terms', field: 'dc:nature' }] },
      'has the aggregate a: Unknown aggregate type: median',
    ],
  ]
  for (const [provider, mistake] of rows) test(mistake, () => assert.equal(mistakeIn(provider), mistake))

  const sound: readonly Partial<PageProvider>[] = [
    { pattern: 'SELECT * FROM Document WHERE dc:created BETWEEN ? AND ? AND ecm:isVersion = :version AND uid:major_version > ?' },
    { pattern: 'SELECT * FROM Document WHERE dc:title IN ? AND dc:subjects/* IN (?) AND ecm:path STARTSWITH ?' },
    { pattern: "SELECT * FROM ? WHERE dc:title LIKE '?%'", quotesParameters: false },
    { pattern: 'SELECT * FROM Document WHERE SORTED_COLUMN IS NOT NULL', sort: [{ column: 'dc:title', isAscending: false }] },
    { whereClause: { predicates: [{ property: 'dc:title', operator: 'FULLTEXT', fields: [{ name: 'x' }] }] } },
  ]
  for (const provider of sound) {
    test(`is sound whose parameters may make it so: ${JSON.stringify(provider)}`, () =>
      assert.equal(mistakeIn(provider), undefined))
  }

  test('of the documented shape is sound', () => {
    const whereClause = {
      documentType: 'DefaultSearch',
      predicates: [
        { property: 'dc:title', operator: '=', fields },
        { property: 'dc:title', operator: 'empty', fields: [] },
        { property: 'dc:title', operatorField: { name: 'how' }, fields: [{ name: 'free' }] },
        { property: 'any', kind: 'subClause', fields: [{ name: 'clause' }] },
      ],
    } as const
    assert.equal(mistakeIn({ whereClause, parameters: ['#{currentUser.name}'], maxResults: 5, pageSize: 0 }), undefined)
  })

  test('may aggregate a field that has no aggregates, and shows nothing there', () => {
    assert.equal(mistakeIn({ aggregates: [{ id: 'a', type: 'terms', field: 'ecm:uuid' }] }), undefined)
  })
})
