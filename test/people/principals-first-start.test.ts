import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { aUser, callWith, statusOfSignIn } from '../support/accounts.ts'
import { freshPostgresSchema } from '../support/postgres.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the first administrator (${engine})`, () => {
    let data = ''
    let place: { [name: string]: unknown } = {}
    before(async () => {
      data = await mkdtemp(join(tmpdir(), 'quire-start-'))
      const database = engine === 'sqlite' ? undefined : await freshPostgresSchema()
      place = { data, ...(database !== undefined && { databaseUrl: database.url, databaseSchema: database.schema }) }
    })
    after(() => rm(data, { recursive: true, force: true }))

    async function onStart(adminPassword: string, body: (server: TestServer) => Promise<void>): Promise<void> {
      const server = await startTestServer({ settings: { ...place, adminPassword } })
      await body(server).finally(() => server.stop())
    }

    test('1 has the configured password on a new server', () =>
      onStart('first password', async (server) => {
        assert.equal(await statusOfSignIn(server, 'Administrator', 'first password'), 200)
        assert.equal(await statusOfSignIn(server, 'Administrator', 'Administrator'), 401)
      }))

    test('1 keeps a password of its own, whatever the configuration says later', () =>
      onStart('second password', async (server) => {
        assert.equal(await statusOfSignIn(server, 'Administrator', 'first password'), 200)
        assert.equal(await statusOfSignIn(server, 'Administrator', 'second password'), 401)
        const boss = aUser('boss', { password: 'boss', groups: ['administrators'] })
        assert.equal((await callWith(server, 'Administrator', 'first password', 'POST', '/user', boss)).status, 201)
      }))

    test('3.4 that was deleted does not come back with a start', async () => {
      await onStart('second password', async (server) => {
        assert.equal((await server.as('boss').delete('/user/Administrator')).status, 204)
      })
      await onStart('third password', async (server) => {
        assert.equal((await server.as('boss').get('/user/Administrator')).status, 404)
        assert.equal(await statusOfSignIn(server, 'Administrator', 'third password'), 401)
        assert.deepEqual((await server.as('boss').get('/user/search?q=*')).body.resultsCount, 1)
      })
    })
  })
}
