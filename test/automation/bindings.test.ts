import assert from 'node:assert/strict'
import { test } from 'node:test'
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
