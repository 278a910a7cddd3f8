import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { onEachServer } from '../support/servers.ts'
import { type Client, createClient, refusalOf } from './npm-client.ts'

const workspaces = '/default-domain/workspaces'

/** Keeps the transaction of a document named `slow` open for longer than the shortest timeout a client can ask for. */
const slowness = definePlugin({
  name: 'slowness',
  listeners: [
    {
      name: 'wait',
      when: 'inline',
      events: ['documentCreated'],
      handle: async ({ document }) => {
        if (document.name === 'slow') await pause(1_500)
      },
    },
  ],
})

const asTheOriginal = {
  settings: { vendor: 'nuxeo', basePath: '/nuxeo', repositories: ['default', 'other'] },
  plugins: [slowness],
}

onEachServer(
  'the published npm client, at the edges:',
  (server) => {
    let administrator: Client
    let alice: Client
    before(async () => {
      await server.addUser('alice', ['members'])
      administrator = createClient(server.url, 'Administrator')
      alice = createClient(server.url, 'alice')
    })

    const create = (name: string, properties: object = {}, type = 'File') =>
      administrator.repository().create(workspaces, { type, name, properties })

    describe('choosing a repository', () => {
      test('by name keeps what is in one out of the other', async () => {
        const other = administrator.repository('other')
        const document = await other.create(workspaces, { type: 'File', name: 'elsewhere' })
        assert.equal(document.repository, 'other')
        assert.equal((await other.fetch(document.uid)).path, `${workspaces}/elsewhere`)
        assert.equal((await refusalOf(administrator.repository().fetch(document.uid))).status, 404)
        const saved = await (await other.fetch(document.uid)).set({ 'dc:title': 'Elsewhere' }).save()
        assert.equal(saved.title, 'Elsewhere')
        await other.delete(document.uid)
        assert.equal((await refusalOf(other.fetch(document.uid))).status, 404)
      })

      test('by the header alone works for every request', async () => {
        const document = await administrator.request('path/default-domain').repositoryName('other').get()
        assert.equal(document.repository, 'other')
      })

      test('that does not exist is refused', async () => {
        for (const attempt of [
          () => administrator.repository('missing').fetch('/'),
          () => administrator.request('path/').repositoryName('missing').get(),
        ]) {
          const { status, body } = await refusalOf(attempt())
          assert.equal(status, 404)
          assert.equal(body.message, 'Repository missing not found')
        }
      })
    })

    describe('an error', () => {
      test('of a missing path carries the path', async () => {
        assert.deepEqual(await refusalOf(administrator.repository().fetch('/no/where')), {
          status: 404,
          body: { 'entity-type': 'exception', status: 404, message: '/no/where' },
        })
      })

      test('of a missing right names it', async () => {
        const { status, body } = await refusalOf(alice.repository().create(workspaces, { type: 'File', name: 'forbidden' }))
        assert.equal(status, 403)
        assert.equal(body.message, "Privilege 'AddChildren' is not granted to 'alice'")
      })

      test('of an unknown type names it', async () => {
        const { status, body } = await refusalOf(create('untyped', {}, 'Foo'))
        assert.equal(status, 400)
        assert.equal(body.message, 'Type: Foo does not exist')
      })

      test('of a wrong value names the property', async () => {
        const { status, body } = await refusalOf(create('wrong', { 'dc:created': 'yesterday' }))
        assert.equal(status, 400)
        assert.equal(body.message, 'Unable to deserialize property: dc:created')
      })

      test('of a value that does not exist is a report', async () => {
        const { status, body } = await refusalOf(create('invalid', { 'dc:nature': 'nonsense' }))
        assert.equal(status, 400)
        assert.equal(body['entity-type'], 'validation_report')
      })

      test('of a stale token carries the id', async () => {
        const { uid } = await create('stale')
        const body = { 'entity-type': 'document', uid, changeToken: '9999-1234', properties: { 'dc:title': 'late' } }
        const refusal = await refusalOf(administrator.request(`id/${uid}`).put({ body }))
        assert.equal(refusal.status, 409)
        assert.equal(refusal.body.message, uid)
        assert.equal((await administrator.repository().fetch(uid)).title, 'stale')
      })
    })

    test('the transaction timeout of the client ends a slow request, and nothing of it stays', async () => {
      const create = administrator.repository().transactionTimeout(1).create(workspaces, { type: 'File', name: 'slow' })
      assert.equal((await refusalOf(create)).status, 503)
      assert.equal((await refusalOf(administrator.repository().fetch(`${workspaces}/slow`))).status, 404)
    })

    test('a transaction timeout that is not reached changes nothing', async () => {
      const repository = administrator.repository().transactionTimeout(30)
      const { path } = await repository.create(workspaces, { type: 'File', name: 'in time' })
      assert.equal(path, `${workspaces}/in time`)
    })

    describe('a name with special characters', () => {
      const names = [
        'a b',
        'a;b=c',
        '[1] #2',
        'a,b$c',
        'a:b&c?d=e',
        'a+b',
        '100%',
        '%41',
        'a@b',
        'müßig',
        '漢字',
        '😀',
        "it's",
        'a"b',
        '~!*()',
        "'; DROP TABLE acps; --",
        '$[*]',
        'a_%b',
        '__proto__',
      ]
      for (const name of names) {
        test(`is kept, found and written under: ${name}`, async () => {
          const repository = administrator.repository()
          const folder = await repository.create(workspaces, { type: 'Folder', name })
          assert.equal(folder.path, `${workspaces}/${name}`)
          assert.equal((await repository.fetch(folder.path)).uid, folder.uid)
          const child = await repository.create(folder.path, { type: 'File', name })
          assert.equal(child.path, `${workspaces}/${name}/${name}`)
          const page = await administrator.request(`path${folder.path}/@children`).get()
          assert.equal(page.entries[0].uid, child.uid)
          await repository.delete(folder.path)
          assert.equal((await refusalOf(repository.fetch(child.uid))).status, 404)
        })
      }

      test('that starts with @ is found by its id', async () => {
        const { uid } = await create('@home')
        assert.equal((await administrator.repository().fetch(uid)).path, `${workspaces}/@home`)
      })
    })
  },
  asTheOriginal,
)
