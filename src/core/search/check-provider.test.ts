import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../test/support/rendering.ts'
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

  test('may summarise what nobody can, and shows nothing there', () => {
    assert.equal(mistakeIn({ aggregates: [{ id: 'a', type: 'terms', field: 'ecm:uuid' }] }), undefined)
  })
})
