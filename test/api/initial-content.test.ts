import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { engines } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { aDocument, assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

type Rights = readonly (readonly [list: string, entries: readonly string[]])[]

const rootEntries = ['Administrator:Everything:true:::', 'members:Read:true:::']
const sectionEntries = ['members:CanAskForPublishing:true:::']
const taskEntries = ['Administrator:Everything:true:::', 'administrators:Everything:true:::', 'Everyone:Everything:false:::']

async function readRights(server: TestServer, path: string): Promise<Rights> {
  const headers = { 'enrichers-document': 'acls' }
  const { contextParameters } = requireStatus(200, await server.as('Administrator').get(`/path${path}`, headers))
  return contextParameters.acls.map(({ name, aces }: Answered) => [name, aces.map((ace: { id: string }) => ace.id)])
}

onEachServer('a new repository', (server) => {
  const bench = workbenchOn(server)
  before(() => server.addUser('bob', ['members']))
  const get = (path: string, headers = {}) => server.as('Administrator').get(`/path${path}`, headers)

  const inherited = [['inherited', rootEntries]] as const
  const rows: readonly [path: string, type: string, title: string | null, state: string, rights: Rights][] = [
    ['/', 'Root', null, 'project', [['local', rootEntries]]],
    ['/default-domain', 'Domain', 'Domain', 'project', inherited],
    ['/default-domain/workspaces', 'WorkspaceRoot', 'Workspaces', 'project', inherited],
    ['/default-domain/sections', 'SectionRoot', 'Sections', 'project', [['local', sectionEntries], ...inherited]],
    ['/default-domain/templates', 'TemplateRoot', 'Templates', 'project', inherited],
    ['/task-root', 'TaskRoot', 'Task', 'undefined', [['local', taskEntries]]],
    [
      '/RetentionRules',
      'RetentionRules',
      'Retention Rules',
      'undefined',
      [['local', ['RecordManager:ReadWrite:true:::']], ...inherited],
    ],
  ]
  for (const [path, type, title, state, rights] of rows) {
    test(`has a ${type} at ${path}, titled ${title ?? 'by its id'}`, async () => {
      const document = requireStatus(200, await get(path, { properties: 'dublincore' }))
      assert.deepEqual([document.path, document.type, document.state], [path, type, state])
      assert.equal(document.properties['dc:title'], title)
      assert.equal(document.title, title ?? document.uid)
      assert.deepEqual([document.isCheckedOut, document.isVersion, document.isTrashed], [true, false, false])
    })
    test(`gives these rights on ${path}: ${rights.flat(2).join(' ')}`, async () => {
      assert.deepEqual(await readRights(server, path), rights)
    })
  }
  test('has nothing else', async () => {
    const childNames = (path: string) =>
      server.asSystem(async ({ tx }) => {
        const parent = await tx.documents.findByPath(path)
        const children = await tx.documents.listChildren({ parentId: parent?.id ?? '' }, [], 100, 0)
        return children.map((child) => child.name).sort()
      })
    assert.deepEqual(await childNames('/'), ['RetentionRules', 'default-domain', 'document-route-models-root', 'task-root'])
    assert.equal((await get('/document-route-models-root')).body.title, 'document-route-models-root')
    assert.deepEqual(await childNames('/default-domain'), ['sections', 'templates', 'workspaces'])
    for (const path of ['workspaces', 'sections', 'templates']) assert.deepEqual(await childNames(`/default-domain/${path}`), [])
    for (const path of ['/task-root', '/RetentionRules']) assert.deepEqual(await childNames(path), [])
  })
  test('is chained by parent ids up to the root', async () => {
    const [root, domain] = [(await get('/')).body, (await get('/default-domain')).body]
    assert.equal(root.parentRef, null)
    assert.equal(domain.parentRef, root.uid)
    assert.equal((await get('/default-domain/sections')).body.parentRef, domain.uid)
  })
  test('is readable by members, except for the tasks', async () => {
    for (const path of ['/', '/default-domain/workspaces']) {
      assert.equal((await server.as('bob').get(`/path${path}`)).status, 200)
    }
    assertRefused(await server.as('bob').get('/path/task-root'), 403, privilegeMissing('Read', 'bob'))
    const refused = await server.as('bob').post('/path/default-domain/workspaces', aDocument())
    assertRefused(refused, 403, privilegeMissing('AddChildren', 'bob'))
  })

  describe('gets, with every new', () => {
    test('Domain, its three children', async () => {
      const domain = await bench.create('Domain', { 'dc:title': 'Other' }, { parent: '/', name: 'other-domain' })
      for (const [name, type, title] of [
        ['workspaces', 'WorkspaceRoot', 'Workspaces'],
        ['sections', 'SectionRoot', 'Sections'],
        ['templates', 'TemplateRoot', 'Templates'],
      ] as const) {
        const child = requireStatus(200, await get(`/other-domain/${name}`))
        assert.deepEqual([child.type, child.title, child.parentRef], [type, title, domain.uid])
      }
      assert.deepEqual(await readRights(server, '/other-domain/sections'), [
        ['local', sectionEntries],
        ['inherited', rootEntries],
      ])
    })
    test('Domain of somebody, its three children too, though he could not set rights', async () => {
      const { uid } = await bench.create('Folder', {}, { name: 'of bob' })
      await bench.restrict(uid, grant('bob', 'Read'), grant('bob', 'AddChildren'))
      const domain = requireStatus(201, await server.as('bob').post(`/id/${uid}`, aDocument({ type: 'Domain', name: 'd' })))
      const sections = requireStatus(200, await server.as('bob').get(`/id/${domain.uid}/sections`, { properties: 'dublincore' }))
      assert.equal(sections.properties['dc:creator'], 'bob')
      const [local] = await readRights(server, '/default-domain/workspaces/of bob/d/sections')
      assert.deepEqual(local, ['local', sectionEntries])
    })
    test('SectionRoot and TaskRoot their rights', async () => {
      for (const [type, entries] of [
        ['SectionRoot', sectionEntries],
        ['TaskRoot', taskEntries],
      ] as const) {
        const { path } = await bench.create(type)
        assert.deepEqual((await readRights(server, path))[0], ['local', entries])
      }
    })
    test('document of another type nothing', async () => {
      const { path, uid } = await bench.create('Workspace')
      assert.deepEqual(await readRights(server, path), inherited)
      assert.deepEqual((await server.as('Administrator').get(`/id/${uid}/@children`)).body.entries, [])
    })
  })
})

for (const engine of engines) {
  test(`a repository that is started again gets back what is missing and keeps what was changed (${engine})`, async () => {
    const { settings } = await freshPlace(engine)
    const ids = async (server: TestServer) => {
      const paths = ['/', '/default-domain', '/default-domain/sections']
      return Promise.all(paths.map(async (path) => (await server.as('Administrator').get(`/path${path}`)).body.uid))
    }
    const first = await startTestServer({ settings })
    const before = await ids(first)
    const changedEntries = [grant('members', 'ReadWrite'), deny('Everyone', 'Everything')]
    await workbenchOn(first).setAcls(before[0], [{ name: 'local', aces: changedEntries }])
    assert.equal((await first.as('Administrator').delete('/path/task-root')).status, 204)
    assert.equal((await first.as('Administrator').delete('/path/default-domain/templates')).status, 204)
    await first.stop()

    const second = await startTestServer({ settings })
    try {
      assert.deepEqual(await ids(second), before)
      assert.deepEqual(await readRights(second, '/'), [['local', ['members:ReadWrite:true:::', 'Everyone:Everything:false:::']]])
      assert.deepEqual(await readRights(second, '/task-root'), [['local', taskEntries]])
      assert.equal((await second.as('Administrator').get('/path/default-domain/templates')).status, 404)
    } finally {
      await second.stop()
    }
  })
}
