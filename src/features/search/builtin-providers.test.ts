import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinContributions, builtinModel } from '../../../test/support/model/builtin-model.ts'
import { aSession } from '../../../test/support/rendering.ts'
import { compile } from '../../core/search/page/run-query.ts'
import { findProviderMistake } from '../../core/search/providers/check-provider.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { prepareSearch } from '../../core/search/providers/prepare-search.ts'
import type { PropertyValue } from '../../model/properties/property.ts'

const builtinProviders = builtinContributions.pageProviders.filter((one) => one.kind !== 'entities')

const quickFilterNames = ({ quickFilters = [] }: PageProvider) => quickFilters.map(({ name }) => name)

/** A value for each place of the pattern: a list behind IN. */
function parametersOf({ pattern, whereClause }: PageProvider): readonly PropertyValue[] {
  if (pattern === '?') return ['SELECT * FROM Document']
  const text = pattern ?? whereClause?.fixedPart ?? ''
  return [...text.matchAll(/(IN \(?)?\?/g)].map(([, list]) => (list ? ['a', 'b'] : 'a'))
}

function queryOf(provider: PageProvider): string {
  const named = { searchTerm: 'a%', pageProvider: 'p' }
  const request = { parameters: parametersOf(provider), named, quickFilters: quickFilterNames(provider) }
  return prepareSearch(aSession(), provider, request).narrowed
}

describe('19.2 built-in providers', () => {
  // Asks for a schema that only those have who render templates.
  const usable = builtinProviders.filter(({ name }) => name !== 'template_based')
  for (const provider of usable) {
    test(`${provider.name} makes a query that can be run`, () => {
      assert.equal(findProviderMistake(provider, builtinModel), undefined)
      compile(aSession(), queryOf(provider), provider.kind === 'rows' ? 'records' : 'documents')
    })
  }

  test('have names of their own', () => {
    const names = builtinProviders.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
  })

  const rows: [name: string, facts: Partial<PageProvider>][] = [
    ['CURRENT_DOC_CHILDREN', { pageSize: 50, maxResults: 'PAGE_SIZE' }],
    ['tree_children', { pageSize: 50, maxResults: 'PAGE_SIZE' }],
    ['domain_documents', { pageSize: 5, maxResults: 'DEFAULT_NAVIGATION_RESULTS' }],
    ['orderable_document_content', { pageSize: 20, isSortable: false }],
    ['default_search', { pageSize: 20, isTracked: true }],
    ['nxql_search', { pageSize: 20, quotesParameters: false, escapesParameters: false, searchDocumentType: 'DefaultSearch' }],
    ['all_collections', { pageSize: 1000, maxResults: 'PAGE_SIZE' }],
    ['startup_domains', { pageSize: 2, maxResults: 'PAGE_SIZE' }],
    ['spreadsheet_query', { pageSize: 1000, maxResults: 1000 }],
    ['GET_TASKS_FOR_ACTORS', { maxPageSize: 0 }],
    ['GET_COMMENTS_FOR_DOCUMENT', { maxPageSize: 0 }],
  ]
  for (const [name, facts] of rows) {
    test(`${name} has ${JSON.stringify(facts)}`, () => {
      const provider = builtinProviders.find((one) => one.name === name)
      assert.deepEqual({ ...provider, ...facts }, provider)
    })
  }
})

describe('19.3 the query of default_search', () => {
  const provider = builtinProviders.find(({ name }) => name === 'default_search')
  assert.ok(provider)
  const fixed =
    "ecm:primaryType NOT IN ('Domain', 'SectionRoot', 'TemplateRoot', 'WorkspaceRoot', 'Favorites') AND " +
    "ecm:mixinType != 'HiddenInNavigation' AND NOT (ecm:mixinType = 'Collection' AND ecm:name = 'Locally Edited') AND " +
    'ecm:isVersion = 0 AND ecm:isTrashed = 0 AND ecm:parentId IS NOT NULL AND ecm:uuid IS NOT NULL'
  const rows: [named: { readonly [name: string]: string }, condition: string][] = [
    [{}, ''],
    [{ ecm_fulltext: 'report' }, "ecm:fulltext = 'report'"],
    [{ dc_creator: '["bob"]' }, "dc:creator = 'bob'"],
    [{ dc_created_min: '2024-01-01' }, "dc:created >= TIMESTAMP '2024-01-01 00:00:00'"],
    [{ dc_modified_max: '2024-01-01' }, "dc:modified <= TIMESTAMP '2024-01-01 00:00:00'"],
    [{ dc_nature: '["article","memo"]' }, "dc:nature IN ('article', 'memo')"],
    [{ dc_subjects: '["art","a/b"]' }, "(dc:subjects STARTSWITH 'art' OR dc:subjects STARTSWITH 'a/b')"],
    [{ dc_coverage: 'europe' }, "dc:coverage STARTSWITH 'europe'"],
    [{ ecm_path: '["/a"]' }, "ecm:path STARTSWITH '/a'"],
    [{ ecm_tags: '["red","big"]' }, "ecm:tag IN ('red', 'big')"],
    [{ ecm_collections: '["c1"]' }, "collectionMember:collectionIds = 'c1'"],
  ]
  for (const [named, condition] of rows) {
    test(`asked for ${JSON.stringify(named)}`, () => {
      const where = condition === '' ? fixed : `${condition} AND (${fixed})`
      assert.equal(prepareSearch(aSession(), provider, { named }).text, `SELECT * FROM Document WHERE ${where}`)
    })
  }
})
