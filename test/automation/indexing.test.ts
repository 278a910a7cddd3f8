import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { JobHandler } from '../../src/core/jobs/worker.ts'
import { isBlobValue } from '../../src/model/properties/property.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { textSourceOf } from '../../src/store/file-texts.ts'
import { assertRefused } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

let mayFinish = false
const isBroken = { first: true, second: true }

const untilAllowed: JobHandler = {
  kind: 'untilAllowed',
  async run() {
    while (!mayFinish) await wait(20)
  },
}

const brittle = (kind: 'first' | 'second'): JobHandler => ({
  kind,
  maxAttempts: 1,
  async run() {
    if (isBroken[kind]) throw new Error('broken')
  },
})

const plugin = definePlugin({ name: 'test-works', jobs: [untilAllowed, brittle('first'), brittle('second')] })

onEachServer(
  'background work',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    before(() => server.addUser('bob', ['members']))

    const leave = (kind: string) => server.asSystem(({ tx }) => tx.jobs.add(kind, {}))
    const found = async (word: string): Promise<readonly string[]> => {
      const query = `SELECT * FROM Document WHERE ecm:fulltext = '${word}'`
      const { body } = await server.as('Administrator').get(`/search/execute?${new URLSearchParams({ query })}`)
      return body.entries.map(({ uid }: Answered) => uid)
    }
    const fileWith = (text: string): Promise<Answered> => bench.create('File', { 'file:content': { data: text, name: 'a.txt' } })

    describe('Elasticsearch.WaitForIndexing', () => {
      test('gives true once files have been read, and then they are found by what is in them', async () => {
        const { uid } = await fileWith('quokka')
        assert.deepEqual(requireStatus(200, await call('Elasticsearch.WaitForIndexing')), {
          'entity-type': 'boolean',
          value: true,
        })
        assert.deepEqual(await found('quokka'), [uid])
      })

      test('gives false when work is left after its time, and true after that', async () => {
        mayFinish = false
        await leave('untilAllowed')
        const began = performance.now()
        const params = { timeoutSecond: 1, refresh: true, waitForAudit: true }
        assert.equal(requireStatus(200, await call('Elasticsearch.WaitForIndexing', { params })).value, false)
        assert.ok(performance.now() - began >= 1_000)
        mayFinish = true
        assert.equal(requireStatus(200, await call('Elasticsearch.WaitForIndexing')).value, true)
        assert.equal(await server.services.repositories.get('default')?.store.reader.jobs.countPending('9999'), 0)
      })

      test('does not wait for itself where nobody waits for it', async () => {
        await fileWith('wombat')
        const caller = server.as('Administrator')
        const submitted = await caller.post('/automation/Elasticsearch.WaitForIndexing/@async', {})
        const status = await caller.call('GET', submitted.headers.get('location') ?? '')
        assert.equal(status.status, 303)
        const result = await caller.call('GET', status.headers.get('location') ?? '')
        assert.equal(requireStatus(200, result).value, true)
      })

      test('is refused with a time that is no number, and hidden from whoever is no administrator', async () => {
        assertRefused(await call('Elasticsearch.WaitForIndexing', { params: { timeoutSecond: 'soon' } }), 400, /'timeoutSecond'/)
        assert.equal((await operationsOn(server, 'bob')('Elasticsearch.WaitForIndexing')).status, 404)
      })
    })

    describe('Elasticsearch.Index', () => {
      let words = 0

      /** Three files, one in a folder, in which somebody has read a word since; nobody has told the index. */
      async function unindexed() {
        const word = `numbat${++words}`
        const folder = await bench.create('Folder')
        const files = [folder.path, '/default-domain/workspaces', '/default-domain/workspaces'].map(async (parent, index) => {
          const content = { data: `${word} ${index}`, name: 'a.bin', 'mime-type': 'application/x-odd' }
          return (await bench.create('File', { 'file:content': content }, { parent })).uid as string
        })
        const uids = await Promise.all(files)
        for (const uid of uids) await saveText(uid, word)
        assert.deepEqual(await found(word), [])
        return { word, folder: folder.uid as string, uids }
      }

      const saveText = (uid: string, text: string) =>
        server.asSystem(async ({ tx }) => {
          const content = (await tx.documents.find(uid))?.properties['file:content']
          assert.ok(isBlobValue(content))
          await tx.fileTexts.save(textSourceOf(content), text)
        })

      test('indexes a document with all below it', async () => {
        const { word, folder, uids } = await unindexed()
        assert.equal((await call('Elasticsearch.Index', { input: `doc:${folder}` })).status, 204)
        await untilIdle(server)
        assert.deepEqual(await found(word), [uids[0]])
      })

      test('indexes what a query finds', async () => {
        const { word, uids } = await unindexed()
        const input = `SELECT * FROM File WHERE ecm:uuid = '${uids[1]}'`
        assert.equal((await call('Elasticsearch.Index', { input })).status, 204)
        await untilIdle(server)
        assert.deepEqual(await found(word), [uids[1]])
      })

      test('indexes everything', async () => {
        const { word, uids } = await unindexed()
        assert.equal((await call('Elasticsearch.Index')).status, 204)
        await untilIdle(server)
        assert.deepEqual(new Set(await found(word)), new Set(uids))
      })

      test('of a bulk command gives the id of that', async () => {
        const { word, uids } = await unindexed()
        const answer = await call('Elasticsearch.BulkIndex', { input: `SELECT * FROM File WHERE ecm:uuid = '${uids[2]}'` })
        const { commandId } = requireStatus(200, answer)
        assert.deepEqual(Object.keys(answer.body), ['commandId'])
        await untilIdle(server)
        const { action, state, total } = requireStatus(200, await server.as('Administrator').get(`/bulk/${commandId}`))
        assert.deepEqual([action, state, total], ['index', 'COMPLETED', 1])
        assert.deepEqual(await found(word), [uids[2]])
        assert.match(requireStatus(200, await call('Elasticsearch.BulkIndex')).commandId, /^[0-9a-f-]{36}$/)
        await untilIdle(server)
      })

      test('is refused for a query that is none, and hidden from whoever is no administrator', async () => {
        for (const id of ['Elasticsearch.Index', 'Elasticsearch.BulkIndex']) {
          assert.equal((await call(id, { input: 'SELECT nonsense' })).status, 400)
          assert.equal((await operationsOn(server, 'bob')(id)).status, 404)
        }
        assert.equal((await server.as('bob').post('/search/bulk/index?query=SELECT%20*%20FROM%20File', {})).status, 403)
      })
    })

    describe('WorkManager.RunWorkInFailure', () => {
      const run = async (params: object = {}) => requireStatus(200, await call('WorkManager.RunWorkInFailure', { params }))

      before(async () => {
        await leave('first')
        await leave('second')
        await untilIdle(server)
      })

      test('only counts what was given up when told so', async () => {
        assert.deepEqual(await run({ dryRun: true }), { total: 2, success: 0, filtered: 0 })
        assert.deepEqual(await run({ dryRun: true, categoryFilter: ['first'] }), { total: 2, success: 0, filtered: 1 })
      })

      test('tries it once more and tells how much of it went well', async () => {
        assert.deepEqual(await run(), { total: 2, success: 0, filtered: 0 })
        isBroken.first = false
        assert.deepEqual(await run({ categoryFilter: 'second' }), { total: 2, success: 0, filtered: 1 })
        assert.deepEqual(await run(), { total: 2, success: 1, filtered: 0 })
        isBroken.second = false
        assert.deepEqual(await run(), { total: 1, success: 1, filtered: 0 })
        assert.deepEqual(await run(), { total: 0, success: 0, filtered: 0 })
        isBroken.first = true
        isBroken.second = true
      })

      test('is refused with a time that is no number, and hidden from whoever is no administrator', async () => {
        assertRefused(await call('WorkManager.RunWorkInFailure', { params: { timeoutSeconds: 'x' } }), 400, /'timeoutSeconds'/)
        assert.equal((await operationsOn(server, 'bob')('WorkManager.RunWorkInFailure')).status, 404)
      })
    })

    describe('Counters.GET', () => {
      test('gives what is counted as it is now, and nothing of what is not', async () => {
        await leave('first')
        await untilIdle(server)
        const params = { counterNames: 'jobs.parked,jobs.pending,toString' }
        const counters = requireStatus(200, await call('Counters.GET', { params }))
        assert.deepEqual(counters.toString, { values: [], deltas: [], speed: [] })
        assert.deepEqual(counters['jobs.pending'].values[0][1], 0)
        const [[moment, parked]] = counters['jobs.parked'].values
        assert.ok(Math.abs(moment - Date.now()) < 60_000)
        assert.equal(parked, 1)
      })

      test('is refused without names, and hidden from whoever is no administrator', async () => {
        assertRefused(await call('Counters.GET'), 400, /'counterNames'/)
        assert.equal((await operationsOn(server, 'bob')('Counters.GET', { params: { counterNames: 'x' } })).status, 404)
      })
    })

    describe('Service.HotReloadStudioSnapshot', () => {
      test('is not for this server', async () => {
        assertRefused(await call('Service.HotReloadStudioSnapshot'), 501, /Restart the server/)
        assert.equal((await operationsOn(server, 'bob')('Service.HotReloadStudioSnapshot')).status, 404)
      })
    })
  },
  { plugins: [plugin] },
)
