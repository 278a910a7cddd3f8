import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const names = ['runtimeStatus', 'repositoryStatus', 'blobStoreStatus', 'filesStatus', 'diskStatus']

onEachServer(
  'the health of a server',
  (server) => {
    const openly = async (path: string) => {
      const answer = await fetch(new URL(path, server.url))
      return { status: answer.status, body: await answer.json() }
    }
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('watcher')
    })

    test('is told to everybody: it lives', async () => {
      assert.deepEqual(await openly('health/live'), { status: 200, body: { status: 'ok' } })
    })

    test('is told to everybody: it can be sent requests, though its disk is nearly full', async () => {
      const probes = { ...Object.fromEntries(names.map((name) => [name, 'ok'])), diskStatus: 'diskNearlyFull' }
      assert.deepEqual(await openly('health/ready'), { status: 200, body: { status: 'ok', probes } })
    })

    describe('12.2 probes', () => {
      for (const user of ['Administrator', 'watcher']) {
        test(`are listed for ${user}`, async () => {
          await openly('health/ready')
          const { status, body } = await server.as(user).get('/management/probes')
          assert.equal(status, 200)
          assert.equal(body['entity-type'], 'probes')
          assert.deepEqual(
            body.entries.map(({ name }: { readonly name: string }) => name),
            names,
          )
        })
      }

      test('are run when that is asked for, and counted', async () => {
        const { body: before } = await server.as('Administrator').get('/management/probes/repositoryStatus')
        const { status, headers, body } = await server.as('Administrator').post('/management/probes/repositoryStatus')
        assert.equal(status, 200)
        assert.equal(headers.get('content-type'), 'application/json; platform-entity=probe')
        const { time, history, ...rest } = body
        assert.deepEqual(rest, {
          'entity-type': 'probe',
          name: 'repositoryStatus',
          status: { 'entity-type': 'probeStatus', neverExecuted: false, success: true, infos: { info: 'ok' } },
          counts: { run: before.counts.run + 1, success: before.counts.success + 1, failure: 0 },
        })
        assert.ok(Number.isInteger(time) && time >= 0)
        assert.equal(history.lastRun, history.lastSuccess)
        assert.ok(Math.abs(Date.parse(history.lastRun) - Date.now()) < 60_000)
        assert.equal(history.lastFail, '1970-01-01T00:00:00.000Z')
      })

      test('say why they fail', async () => {
        const { status, body } = await server.as('Administrator').post('/management/probes/diskStatus')
        assert.equal(status, 200)
        assert.equal(body.status.success, false)
        assert.match(body.status.infos.info, /^The data folder has \d+ MB left, less than the \d+ MB of disk-min-free\.$/)
        assert.equal(body.history.lastSuccess, '1970-01-01T00:00:00.000Z')
        assert.ok(body.counts.failure > 0)
      })

      for (const method of ['GET', 'POST']) {
        for (const name of ['nonsense', 'toString', '__proto__']) {
          test(`${method} of none named ${name} is 404`, async () => {
            const answer = await server.as('Administrator').call(method, `api/v1/management/probes/${name}`)
            assertRefused(answer, 404, `No such probe: ${name}`)
          })
        }
      }

      for (const [method, path] of [
        ['GET', 'management/probes'],
        ['GET', 'management/probes/runtimeStatus'],
        ['GET', 'management/probes/nonsense'],
        ['POST', 'management/probes/runtimeStatus'],
      ] as const) {
        test(`${method} ${path} is 403 for who does not look after the server, and 401 for strangers`, async () => {
          assertRefused(await server.as('bob').call(method, `api/v1/${path}`), 403, /for administrators, and for the user/)
          assert.equal((await fetch(new URL(`api/v1/${path}`, server.url), { method })).status, 401)
        })
      }
    })
  },
  { settings: { diskMinFree: '9000000 GB', managementUser: 'watcher' } },
)
