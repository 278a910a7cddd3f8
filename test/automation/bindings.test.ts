import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'

onEachServer(
  '1.14 an operation',
  (server) => {
    const statusFor = async (user: string, id: string, headers: { [name: string]: string } = {}) =>
      (await operationsOn(server, user)(id, {}, headers)).status

    test('for administrators is hidden from others, under each of its names and on each way to it', async () => {
      await server.addUser('plain', ['members'])
      for (const id of ['Specimen.ForAdministrators', 'Specimen.ForFew', 'Chain.Specimen.ForFew']) {
        const { status, body } = await operationsOn(server, 'plain')(id)
        assert.deepEqual([status, body['entity-type'], body.status], [404, 'exception', 404], id)
        assert.equal((await server.as('plain').post(`/path/default-domain/@op/${id}`, {})).status, 404)
        assert.equal((await server.as('plain').post(`/automation/${id}/@async`, {})).status, 404)
        assert.equal(await statusFor('Administrator', id), 200)
      }
    })

    test('for administrators is open to those of another name', async () => {
      await server.addUser('second', ['administrators'])
      assert.equal(await statusFor('second', 'Specimen.ForAdministrators'), 200)
    })

    test('for a group is open to its members and to administrators', async () => {
      await server.addUser('member', ['specimenUsers'])
      await server.addUser('nonmember', ['members'])
      assert.equal(await statusFor('member', 'Specimen.ForGroup'), 200)
      assert.equal(await statusFor('Administrator', 'Specimen.ForGroup'), 200)
      assert.equal(await statusFor('nonmember', 'Specimen.ForGroup'), 404)
    })

    test('that is disabled is there for nobody', async () => {
      assert.equal(await statusFor('Administrator', 'Specimen.Disabled'), 404)
    })

    test('that wants https is there for nobody else', async () => {
      assert.equal(await statusFor('Administrator', 'Specimen.Secure'), 404)
      const secured = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'dms.test' }
      assert.equal(await statusFor('Administrator', 'Specimen.Secure', secured), 200)
    })

    test('inside a chain is asked about by nobody: the chain’s own binding decides', async () => {
      await server.addUser('chained', ['members'])
      assert.equal(await statusFor('chained', 'specimenChain'), 200)
      assert.equal(await statusFor('chained', 'specimenClosedChain'), 404)
      assert.equal(await statusFor('Administrator', 'specimenClosedChain'), 204)
    })

    test('is listed for everybody all the same', async () => {
      await server.addUser('reader')
      const { body } = await server.as('reader').get('/automation')
      assert.ok(body.operations.some(({ id }: { id: string }) => id === 'Specimen.ForAdministrators'))
    })
  },
  { plugins: [specimenOperations], settings: { allowedHosts: ['dms.test'] } },
)

const automationBindings = {
  'Specimen.ForAdministrators': { administrator: false },
  'Document.Fetch': { administrator: true, groups: ['fetchers'] },
  'Chain.specimenChain': { disabled: true },
  'Document.GetChildren': { secure: true },
}

onEachServer(
  '1.14 an operation with a binding of the settings',
  (server) => {
    const call = (user: string, id: string, body: object = {}, headers: { [name: string]: string } = {}) =>
      operationsOn(server, user)(id, body, headers)
    const fetch = { params: { value: '/default-domain' } }

    before(async () => {
      await server.addUser('plain', ['members'])
      await server.addUser('fetcher', ['members', 'fetchers'])
    })

    test('is for those it says, under each of its names', async () => {
      for (const id of ['Repository.GetDocument', 'Document.Fetch', 'Chain.Document.Fetch']) {
        assert.equal((await call('plain', id, fetch)).status, 404, id)
        assert.equal((await call('fetcher', id, fetch)).status, 200, id)
        assert.equal((await call('Administrator', id, fetch)).status, 200, id)
      }
      assert.equal((await server.as('plain').post('/path/default-domain/@op/Document.Fetch', fetch)).status, 404)
    })

    test('is as closed where another operation is told to run it', async () => {
      const params = { id: 'Repository.GetDocument', parameters: 'value=/default-domain' }
      assert.notEqual((await call('plain', 'RunOperation', { params })).status, 200)
      assert.equal((await call('fetcher', 'RunOperation', { params })).status, 204)
      const nested = { id: 'RunOperation', parameters: 'id=Repository.GetDocument' }
      assert.notEqual((await call('plain', 'RunOperation', { params: nested })).status, 200)
    })

    test('may be opened to more than its plugin says, or closed to all', async () => {
      assert.equal((await call('plain', 'Specimen.ForAdministrators')).status, 200)
      assert.equal((await call('Administrator', 'specimenChain')).status, 404)
    })

    test('that wants https is there for nobody else', async () => {
      const children = { input: '/default-domain' }
      assert.equal((await call('Administrator', 'Document.GetChildren', children)).status, 404)
      const secured = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'dms.test' }
      assert.equal((await call('Administrator', 'Document.GetChildren', children, secured)).status, 200)
    })

    test('leaves what it does not say as the plugin declares it', async () => {
      assert.equal((await call('plain', 'Specimen.ForGroup')).status, 404)
    })
  },
  { plugins: [specimenOperations], settings: { allowedHosts: ['dms.test'], automationBindings } },
)

describe('a start with bindings is refused', () => {
  const refusals: readonly [sentence: string, bindings: object, reason: RegExp][] = [
    [
      'of an operation that there is not',
      { 'Document.Fetsh': {} },
      /Document\.Fetsh .*no such operation or chain \(did you mean Document\.Fetch\?\)/,
    ],
    [
      'with a key that there is not',
      { 'Document.Fetch': { administrators: true } },
      /none of disabled, .* \(did you mean administrator\?\)/,
    ],
    ['of one operation under two names', { 'Document.Fetch': {}, 'Repository.GetDocument': {} }, /twice: it is another name of/],
    ['with something else than an object', { 'Document.Fetch': true }, /something else than an object/],
    [
      'with something else than true or false',
      { 'Document.Fetch': { disabled: 'yes' } },
      /disabled with something else than true or false/,
    ],
    ['with groups that are none', { 'Document.Fetch': { groups: 'members' } }, /groups with something else than a list of names/],
  ]
  for (const [sentence, bindings, reason] of refusals)
    test(sentence, () => assert.rejects(startTestServer({ settings: { automationBindings: bindings } }), reason))
})
