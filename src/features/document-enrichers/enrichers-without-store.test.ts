import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinContributions, builtinModel } from '../../../test/support/model/builtin-model.ts'
import { alice, aRenderContext, aSession, baseUrl, type RenderOptions } from '../../../test/support/rendering.ts'
import { aStoredDocument } from '../../../test/support/stored-document.ts'
import type { Document } from '../../model/document.ts'
import { createRendering } from '../../rest/registry.ts'
import { documentWriter, writeDocument, writeEmptyDocument } from '../../rest/render/document-entity.ts'
import { documentUrlEnricher } from './links.ts'

type Entity = { [field: string]: unknown }

const enrichers = builtinContributions.enrichers.filter(({ entityType }) => entityType === 'document')
// Made with the settings of a server, of which there is none here.
const documentUrl = documentUrlEnricher(() => '{base}nxdoc/{repo}/{id}')
const rendering = createRendering({
  enrichers: [...enrichers.filter(({ name }) => name !== 'documentURL'), documentUrl],
  entityWriters: [documentWriter],
})

describe('the enricher, without looking anything up,', () => {
  const plan = aStoredDocument({ id: 'plan', type: 'File', path: '/plan', name: 'plan', changeToken: { system: 3, user: 1 } })

  async function say(
    name: string,
    document: Document = plan,
    options: RenderOptions & { changeTokens?: boolean } = {},
  ): Promise<Entity> {
    const session = aSession([], { principal: alice, changeTokens: options.changeTokens ?? true })
    const headers = { 'enrichers-document': name, ...options.headers }
    return (await writeDocument(aRenderContext(session, { rendering, ...options, headers }), document))[
      'contextParameters'
    ] as Entity
  }

  const offered: [string, string[]][] = [
    ['File', ['Read', 'ReadWrite', 'ManageRecord', 'ManageLegalHold', 'Everything']],
    ['Collection', ['Read', 'ReadCanCollect', 'ReadWrite', 'ManageRecord', 'ManageLegalHold', 'Everything']],
    ['Section', ['Read', 'ReadWrite', 'ManageRecord', 'ManageLegalHold', 'Everything', 'CanAskForPublishing']],
  ]
  for (const [type, expected] of offered) {
    test(`userVisiblePermissions offers ${expected.join(', ')} on a ${type}`, async () => {
      assert.deepEqual(await say('userVisiblePermissions', { ...plan, type }), { userVisiblePermissions: expected })
    })
  }

  test('subtypes lists what the type offers, with facets', async () => {
    const { subtypes } = await say('subtypes', { ...plan, type: 'WorkspaceRoot' })
    assert.deepEqual(subtypes, [{ type: 'Workspace', facets: builtinModel.shapeOf({ type: 'Workspace' }).facets }])
    assert.deepEqual(await say('subtypes'), { subtypes: [] })
  })

  test('thumbnail, preview and documentURL are links, with the token where there is one', async () => {
    assert.deepEqual(await say('thumbnail,preview,documentURL'), {
      documentURL: `${baseUrl}nxdoc/default/plan`,
      preview: { url: `${baseUrl}site/api/v1/repo/default/id/plan/@preview/?changeToken=3-1` },
      thumbnail: { url: `${baseUrl}api/v1/repo/default/id/plan/@rendition/thumbnail?changeToken=3-1` },
    })
    assert.deepEqual(await say('thumbnail,preview', plan, { changeTokens: false }), {
      preview: { url: `${baseUrl}site/api/v1/repo/default/id/plan/@preview/` },
      thumbnail: { url: `${baseUrl}api/v1/repo/default/id/plan/@rendition/thumbnail?changeToken=` },
    })
  })

  test('documentURL follows the pattern of the deployment', async () => {
    const own = createRendering({
      enrichers: [documentUrlEnricher(() => 'https://desk/{id}?in={repo}')],
      entityWriters: [documentWriter],
    })
    assert.deepEqual(await say('documentURL', plan, { rendering: own }), { documentURL: 'https://desk/plan?in=default' })
  })

  test('tags are the labels, each once and in order', async () => {
    const tags = [{ label: 'zoo' }, { label: 'art', username: 'bob' }, { label: 'zoo', username: 'ann' }]
    assert.deepEqual(await say('tags', { ...plan, properties: { 'nxtag:tags': tags } }), { tags: ['art', 'zoo'] })
    assert.deepEqual(await say('tags'), { tags: [] })
  })

  test('subscribedNotifications are those of the caller himself', async () => {
    const notifications = [
      { name: 'Creation', subscribers: ['user:alice', 'user:bob'] },
      { name: 'Modification', subscribers: ['user:bob', 'group:members', 'alice'] },
      { name: 'Publication', subscribers: null },
    ]
    const document = { ...plan, properties: { 'notif:notifications': notifications } }
    assert.deepEqual(await say('subscribedNotifications', document), { subscribedNotifications: ['Creation'] })
  })

  test('highlight has nothing to show outside of a search', async () =>
    assert.deepEqual(await say('highlight'), { highlight: [] }))

  test('no enricher minds a document that is not stored', async () => {
    const warnings: unknown[] = []
    const log = { debug() {}, info() {}, error() {}, warn: (fields: unknown) => warnings.push(fields) }
    const headers = { 'enrichers-document': enrichers.map(({ name }) => name).join(',') }
    for (const type of ['File', 'Folder', 'Collection']) {
      const session = aSession([], { principal: alice })
      const context = aRenderContext(session, { headers, rendering, services: { log } })
      const entity = await writeEmptyDocument(context, { parentPath: '/', document: { ...plan, type, path: null } })
      assert.deepEqual(Object.keys(entity['contextParameters'] as Entity), [
        'acls',
        'audit',
        'children',
        'collections',
        'documentURL',
        'favorites',
        'hasContent',
        'hasFolderishChild',
        'highlight',
        'pendingTasks',
        'quota',
        'runnableWorkflows',
        'runningWorkflows',
        'subscribedNotifications',
        'subtypes',
        'userVisiblePermissions',
      ])
    }
    assert.deepEqual(warnings, [])
  })
})
