import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { PermanentFailure } from '../../src/core/jobs/worker.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { untilIdle } from '../support/background.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

let isMended = false
let done = 0
/** Fails until it is mended. */
const brittle = definePlugin({
  name: 'brittle',
  jobs: [
    {
      kind: 'brittle.work',
      async run() {
        if (!isMended) throw new PermanentFailure('the wheel is off')
        done += 1
      },
    },
  ],
  settings: { brittleKeys: { type: 'json', help: 'Keys of partners' } },
})

interface ShownSetting {
  readonly name: string
  readonly value: unknown
  readonly origin: string | null
}

onEachServer(
  '12.2 management',
  (server, engine) => {
    const admin = () => server.as('Administrator')
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('watcher')
    })

    test('tells what runs here', async () => {
      const { status, headers, body } = await server.as('watcher').get('/management/distribution')
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'application/json; platform-entity=distribution')
      assert.equal(body.applicationVersion, packageJson.version)
      assert.equal(body.distributionVersion, '10.10')
      assert.equal(body.runtime.node, process.versions.node)
      assert.deepEqual(body.repositories, [{ name: 'default', engine }])
      assert.ok(Date.parse(body.started) <= Date.now())
    })

    describe('shows each setting', () => {
      const readAll = async () => {
        const { status, body } = await admin().get('/management/configuration')
        assert.equal(status, 200)
        const entries: readonly ShownSetting[] = body.entries
        return { configuration: body.configuration, find: (name: string) => entries.find((entry) => entry.name === name) }
      }

      test('with its value and where it came from', async () => {
        const { find, configuration } = await readAll()
        const { value, origin } = find('managementUser') ?? {}
        assert.deepEqual([value, origin], ['watcher', 'managementUser in quire.config.ts'])
        assert.deepEqual([find('jsonMaxSize')?.value, find('jsonMaxSize')?.origin], [10_000_000, null])
        assert.equal(configuration['platform.management.api.user'], 'watcher')
        assert.equal(configuration['platform.http.json.maxSize'], 10_000_000)
        assert.equal(find('virtualHost')?.value, null)
      })

      test('and nothing that is secret', async () => {
        const { text } = await admin().get('/management/configuration')
        for (const secret of ['open sesame', 'hidden part', 'postgres@']) assert.ok(!text.includes(secret), secret)
        const { find, configuration } = await readAll()
        assert.equal(find('statusKey')?.value, '********')
        assert.equal(configuration['server.status.key'], '********')
        assert.equal(find('brittleKeys')?.value, '********')
        assert.equal(find('adminPassword')?.value, '********')
        if (engine === 'postgres') assert.match(String(find('databaseUrl')?.value), /^postgres:\/\/\*{8}@127/)
      })
    })

    describe('looks after jobs', () => {
      const parked = async () => (await admin().get('/management/jobs?state=parked&kind=brittle.work')).body
      const addParked = async () => {
        isMended = false
        await server.asSystem(({ tx }) => tx.jobs.add('brittle.work', { secret: 'payload' }, { owner: 'bob' }))
        await untilIdle(server)
        const { entries } = await parked()
        return entries.at(-1)
      }

      test('that were given up, with the reason and without what they hold', async () => {
        const shown = await addParked()
        const { id, runAfter, ...rest } = shown
        assert.deepEqual(rest, {
          'entity-type': 'job',
          repository: 'default',
          kind: 'brittle.work',
          state: 'parked',
          owner: 'bob',
          attempts: 1,
          error: 'the wheel is off',
        })
        assert.match(id, /^\d+$/)
        assert.ok(!JSON.stringify(await parked()).includes('payload'))
      })

      test('a page at a time, with how many there are', async () => {
        for (let count = 0; count < 3; count += 1) await addParked()
        const page = async (index: number) =>
          (await admin().get(`/management/jobs?state=parked&pageSize=2&currentPageIndex=${index}`)).body
        const [first, second] = [await page(0), await page(1)]
        assert.deepEqual([first.entries.length, first.resultsCount], [2, first.parked])
        const ids = [...first.entries, ...second.entries].map(({ id }: { id: string }) => id)
        assert.equal(new Set(ids).size, ids.length)
        assert.deepEqual((await page(1_000)).entries, [])
        for (const wrong of ['-1', 'x', '1000001'])
          assert.equal((await admin().get(`/management/jobs?currentPageIndex=${wrong}`)).status, 400)
      })

      test('tries one anew', async () => {
        const { id } = await addParked()
        isMended = true
        const before = done
        assert.equal((await admin().post(`/management/jobs/default/${id}/retry`)).status, 204)
        await untilIdle(server)
        assert.equal(done, before + 1)
        assertRefused(await admin().post(`/management/jobs/default/${id}/retry`), 404, /There is no job \d+/)
      })

      test('drops one', async () => {
        const { id } = await addParked()
        const { parked: before } = await parked()
        assert.equal((await admin().delete(`/management/jobs/default/${id}`)).status, 204)
        assert.equal((await parked()).parked, before - 1)
        assertRefused(await admin().delete(`/management/jobs/default/${id}`), 404, /There is no job \d+/)
      })

      test('and not those that were not given up', async () => {
        const runAfter = '2999-01-01T00:00:00.000Z'
        await server.asSystem(({ tx }) => tx.jobs.add('brittle.work', {}, { runAfter }))
        const { body } = await admin().get('/management/jobs?state=waiting&kind=brittle.work')
        const { id, owner } = body.entries[0]
        assert.equal(owner, null)
        assertRefused(await admin().delete(`/management/jobs/default/${id}`), 409, /is waiting/)
        assertRefused(await admin().post(`/management/jobs/default/${id}/retry`), 409, /is waiting/)
      })

      for (const place of ['default/0', 'default/99999', 'default/x', 'default/1e3', 'default/-1', 'other/1', '__proto__/1']) {
        test(`knows none at ${place}`, async () => {
          assertRefused(await admin().delete(`/management/jobs/${place}`), 404, /There is no job/)
        })
      }
      for (const query of ['state=done', 'pageSize=0', 'pageSize=1001', 'pageSize=x']) {
        test(`refuses to list by ${query}`, async () => {
          assert.equal((await admin().get(`/management/jobs?${query}`)).status, 400)
        })
      }
    })

    test('is not opened by power users, who neither make, change nor remove the user that it is for', async () => {
      await server.addUser('power', ['powerusers'])
      const power = server.as('power')
      const refusal = 'User is not allowed to edit users'
      const change = { 'entity-type': 'user', id: 'watcher', properties: { password: 'known' } }
      assertRefused(await power.put('/user/watcher', change), 403, refusal)
      assertRefused(await power.delete('/user/watcher'), 403, refusal)
      assert.equal((await admin().delete('/user/watcher')).status, 204)
      await untilIdle(server)
      const made = { ...change, properties: { username: 'watcher', password: 'known' } }
      assertRefused(await power.post('/user', made), 403, 'Cannot create artifact')
      const invited = { 'entity-type': 'user', properties: { username: 'watcher', email: 'watcher@x.org' } }
      assert.equal((await power.post('/automation/User.Invite', { params: {}, input: invited })).status, 403)
      assert.equal((await power.post('/group', { 'entity-type': 'group', id: 'watcher' })).status, 403)
      assert.equal(
        (await admin().post('/user', { ...made, properties: { username: 'watcher', password: 'watcher' } })).status,
        201,
      )
      assert.equal((await server.as('watcher').get('/management/distribution')).status, 200)
    })

    for (const [method, path] of [
      ['GET', 'distribution'],
      ['GET', 'configuration'],
      ['GET', 'jobs'],
      ['POST', 'jobs/default/1/retry'],
      ['DELETE', 'jobs/default/1'],
      ['DELETE', 'jobs/nowhere/1'],
    ] as const) {
      test(`is closed to others: ${method} ${path}`, async () => {
        assertRefused(
          await server.as('bob').call(method, `api/v1/management/${path}`),
          403,
          /for administrators, and for the user/,
        )
        assert.equal((await fetch(new URL(`api/v1/management/${path}`, server.url), { method })).status, 401)
      })
    }
  },
  {
    plugins: [brittle],
    settings: {
      managementUser: 'watcher',
      statusKey: 'open sesame',
      brittleKeys: { partner: 'hidden part' },
    },
  },
)
