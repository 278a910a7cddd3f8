import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from '../../src/core/search/page/page.ts'
import type { PageProvider } from '../../src/core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../../src/core/search/providers/provider-request.ts'
import { runProvider, runRowProvider } from '../../src/core/search/providers/run-provider.ts'
import type { PropertyValue } from '../../src/model/properties/property.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { builtinContributions } from '../support/model/builtin-model.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn, workspaces } from '../support/workbench.ts'

const builtinProviders = builtinContributions.pageProviders.filter((one) => one.kind !== 'entities')

/** A value for each place of the query: a list behind IN. */
function sampleParameters({ pattern, whereClause }: PageProvider): readonly PropertyValue[] {
  if (pattern === '?') return ['SELECT * FROM Document']
  const text = pattern ?? whereClause?.fixedPart ?? ''
  return [...text.matchAll(/(IN \(?)?\?/g)].map(([, list]) => (list ? ['a', 'b'] : '/a'))
}

onEachServer('19.2 built-in providers', (server) => {
  const bench = workbenchOn(server)
  let home: Answered
  before(async () => {
    await server.addUser('bob', ['members'])
    home = await bench.create('Workspace', { 'dc:title': 'Home' }, { name: 'home' })
    const below = { parent: home.path }
    await bench.create('File', { 'dc:title': 'Annual report', 'dc:nature': 'article', 'dc:subjects': ['art/cinema'] }, below)
    await bench.create('Note', { 'dc:title': 'Annual notes', 'dc:nature': 'memo' }, below)
    await bench.create('Folder', { 'dc:title': 'Old things' }, below)
    const trashed = await bench.create('File', { 'dc:title': 'Forgotten report' }, below)
    await bench.change(trashed.uid, { isTrashed: true })
  })

  async function find(name: string, request: ProviderRequest = {}, user = 'Administrator'): Promise<readonly unknown[]> {
    const { page, documents } = await server.inSession(user, (session) =>
      runProvider(session, session.repository.pageProviders.read(name), request),
    )
    assert.equal(page.error, null)
    return documents.map(({ properties }) => properties['dc:title'])
  }

  describe('run', () => {
    for (const provider of builtinProviders.filter(({ name }) => name !== 'template_based')) {
      test(provider.name, async () => {
        const named = { searchTerm: 'a%', pageProvider: 'p' }
        const quickFilters = (provider.quickFilters ?? []).map(({ name }) => name)
        const request = { parameters: sampleParameters(provider), named, quickFilters }
        const run = provider.kind === 'rows' ? runRowProvider : runProvider
        const { page } = await server.inSession(
          'bob',
          async (session): Promise<{ readonly page: Page }> => run(session, provider, request),
        )
        assert.equal(page.error, null)
      })
    }
  })

  describe('find what they are for', () => {
    const inHome = { ecm_path: `["${workspaces}/home"]` }
    const byTitle = [{ column: 'dc:title', isAscending: true }]
    const searches: [name: string, request: ProviderRequest, titles: readonly string[]][] = [
      ['default_search', { named: inHome, sort: byTitle }, ['Annual notes', 'Annual report', 'Old things']],
      ['default_search', { named: { ...inHome, ecm_fulltext: 'report' } }, ['Annual report']],
      ['default_search', { named: { ...inHome, ecm_fulltext: 'repo*' } }, ['Annual report']],
      [
        'default_search',
        { named: { ...inHome, dc_nature: '["memo","article"]' }, sort: byTitle },
        ['Annual notes', 'Annual report'],
      ],
      ['default_search', { named: { ...inHome, dc_subjects: '["art"]' } }, ['Annual report']],
      ['default_search', { named: { ...inHome, dc_creator: '["bob"]' } }, []],
      ['default_search', { named: { ...inHome, dc_modified_max: '2001-01-01' } }, []],
      [
        'default_search',
        { named: { ...inHome, dc_modified_agg: '["last24h"]' }, sort: byTitle },
        ['Annual notes', 'Annual report', 'Old things'],
      ],
      ['default_search', { named: { ...inHome, dc_modified_agg: '["lastYear"]' } }, []],
      ['default_search', { named: inHome, quickFilters: ['noFolder'], sort: byTitle }, ['Annual notes', 'Annual report']],
      ['default_search', { named: inHome, quickFilters: ['mostRecent'] }, ['Old things', 'Annual notes', 'Annual report']],
      ['default_search', { named: inHome, quickFilters: ['onlyValidated'] }, []],
      ['default_trash_search', { named: inHome }, ['Forgotten report']],
      ['simple_search', { named: { ecm_fulltext: 'annual report' } }, ['Annual report']],
      [
        'nxql_search',
        { parameters: ["SELECT * FROM Note WHERE dc:title = 'Annual notes' AND ecm:isVersion = 0"] },
        ['Annual notes'],
      ],
      ['domain_documents', { parameters: [`${workspaces}/home`], sort: byTitle }, ['Annual notes', 'Annual report']],
      ['user_workspaces', { parameters: [workspaces] }, ['Home']],
      ['default_document_suggestion', { parameters: ['annual rep'] }, ['Annual report']],
      ['DEFAULT_DOCUMENT_SUGGESTION', { parameters: ['annual rep'] }, ['Annual report']],
      ['document_picker', { parameters: ['annual'] }, ['Annual notes', 'Annual report']],
      ['document_picker', { parameters: ['report'] }, []],
    ]
    for (const [name, request, titles] of searches) {
      test(`${name} ${JSON.stringify(request)}`, async () => assert.deepEqual(await find(name, request), titles))
    }

    const inFolder: [name: string, request: ProviderRequest, titles: readonly string[]][] = [
      ['CURRENT_DOC_CHILDREN', {}, ['Annual notes', 'Annual report', 'Old things']],
      ['tree_children', {}, ['Old things']],
      ['document_content', {}, ['Annual notes', 'Annual report', 'Old things']],
      ['document_content', { named: { title: 'report' } }, ['Annual report']],
      ['document_content', { named: { fulltext_all: 'annual' } }, ['Annual notes', 'Annual report']],
      ['document_trash_content', {}, ['Forgotten report']],
    ]
    for (const [name, request, titles] of inFolder) {
      test(`${name} of a folder ${JSON.stringify(request)}`, async () => {
        assert.deepEqual(await find(name, { ...request, parameters: [home.uid] }), titles)
      })
    }

    test('advanced_document_content finds what is in a folder, or in its trash', async () => {
      const of = (named: object) =>
        find('advanced_document_content', { named: { ecm_parentId: home.uid, ...named }, sort: byTitle })
      assert.deepEqual(await of({}), ['Annual notes', 'Annual report', 'Old things'])
      assert.deepEqual(await of({ ecm_trashed: 'true' }), ['Forgotten report'])
    })

    test('collections are suggested by the beginning of their words, and all of them while nothing is typed', async () => {
      for (const title of ['Blue things', 'Old letters']) await bench.create('Collection', { 'dc:title': title })
      assert.deepEqual(await find('default_collection', { parameters: ['blue th'] }), ['Blue things'])
      assert.deepEqual(await find('default_collection', { parameters: ['lett'] }), ['Old letters'])
      assert.deepEqual(await find('default_collection', { parameters: [''] }), ['Blue things', 'Old letters'])
      assert.deepEqual(await find('user_collections', { named: { searchTerm: '%' }, sort: byTitle }), [
        'Blue things',
        'Old letters',
      ])
    })

    test('user_shared_documents finds what is shared with those of a list', async () => {
      const shared = await bench.create('File', { 'dc:title': 'Shared' }, { parent: home.path })
      await bench.setAcls(shared.uid, [{ name: 'local', aces: [grant('bob', 'Read')] }])
      assert.deepEqual(await find('user_shared_documents', { parameters: [['bob', 'amy']] }), ['Shared'])
      assert.deepEqual(await find('user_shared_documents', { parameters: [['amy']] }), [])
      assert.deepEqual(await find('user_shared_documents', { parameters: ['bob'] }), ['Shared'])
    })

    test('expired_search counts by the month of expiry, and finds between dates', async () => {
      await bench.create('File', { 'dc:title': 'Milk', 'dc:expired': '2024-05-20T10:00:00.000Z' })
      const named = { expired_min: '2024-01-01', expired_max: '2025-01-01', dc_expired_agg: '["05-2024"]' }
      assert.deepEqual(await find('expired_search', { named }), ['Milk'])
      assert.deepEqual(await find('expired_search', { named: { ...named, dc_expired_agg: '["06-2024"]' } }), [])
    })
  })
})
