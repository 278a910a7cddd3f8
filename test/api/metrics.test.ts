import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { PermanentFailure } from '../../src/core/jobs/worker.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { json } from '../../src/rest/answer.ts'
import { Type } from '../../src/rest/openapi/schema.ts'
import { untilIdle } from '../support/background.ts'
import { attach, download } from '../support/files.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

let gate = Promise.withResolvers<void>()
/** Has requests and jobs wait until the gate is opened. */
const waiting = definePlugin({
  name: 'waiting',
  routes: [
    {
      method: 'GET',
      path: '/wait',
      under: 'api',
      summary: 'Waits',
      answers: { 200: Type.Object({}) },
      async handle() {
        await gate.promise
        return json({})
      },
    },
  ],
  jobs: [
    {
      kind: 'waiting.work',
      ownWorkers: 1,
      async run(payload) {
        if (payload === 'fail') throw new PermanentFailure('no')
        await gate.promise
      },
    },
  ],
})

const key = 'a key for the one that watches'

onEachServer(
  '12.4 /metrics',
  (server, engine) => {
    const bench = workbenchOn(server)
    const ask = (headers: Record<string, string>) => fetch(new URL('metrics', server.url), { headers, redirect: 'manual' })
    const read = async () => {
      const answer = await ask({ authorization: `Bearer ${key}` })
      assert.equal(answer.status, 200)
      return answer.text()
    }
    /** The sum of all rows of that name whose labels have these. */
    const figure = async (name: string, labels: Record<string, string> = {}) => {
      const rows = (await read()).split('\n').filter((row) => row.startsWith(`${name}{`) || row.startsWith(`${name} `))
      const wanted = rows.filter((row) => Object.entries(labels).every(([label, value]) => row.includes(`${label}="${value}"`)))
      return wanted.reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0)
    }
    const until = async (condition: () => Promise<boolean>) => {
      const patience = AbortSignal.timeout(120_000)
      while (!(await condition())) await pause(20, undefined, { signal: patience })
    }
    const addJob = (payload: string) => server.asSystem(({ tx }) => tx.jobs.add('waiting.work', payload))

    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('watcher')
    })

    test('is for whoever looks after the server, and whoever has the key', async () => {
      for (const user of ['Administrator', 'watcher']) {
        const { status, headers, text } = await server.as(user).call('GET', 'metrics')
        assert.equal(status, 200)
        assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
        assert.match(text, /^# HELP quire_http_requests_total .+\n# TYPE quire_http_requests_total counter$/m)
      }
      await read()
      assertRefused(await server.as('bob').call('GET', 'metrics'), 403, /for administrators, and for the user/)
      for (const headers of [{}, { authorization: 'Bearer another' }, { 'x-forwarded-for': '127.0.0.1' }])
        assert.equal((await ask(headers as Record<string, string>)).status, 401)
    })

    test('says of the process what Node.js knows of it', async () => {
      const text = await read()
      for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds'])
        assert.match(text, new RegExp(`^${name} [\\d.e+-]+$`, 'm'))
    })

    test('counts requests by what they are aimed at, never by their paths', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'counted' })
      const counts = async () => [
        await figure('quire_http_requests_total', { method: 'GET', route: '/api/v1/id/{docId}', status: '200' }),
        await figure('quire_http_request_duration_seconds_count', { method: 'GET', route: '/api/v1/id/{docId}' }),
        await figure('quire_http_requests_total', { route: '…/@children', status: '200' }),
        await figure('quire_http_requests_total', { route: '/api/v1/id/{docId}', status: '404' }),
        await figure('quire_http_requests_total', { route: 'none', status: '404' }),
      ]
      const before = await counts()
      const admin = server.as('Administrator')
      await admin.get(`/id/${uid}`)
      await admin.get('/path/default-domain/@children')
      await admin.get('/id/secret-00000000')
      await admin.get('/me/secret-00000000/nothing')
      assert.deepEqual(
        (await counts()).map((count, index) => count - (before[index] ?? 0)),
        [1, 2, 1, 1, 1],
      )
      assert.doesNotMatch(await read(), /secret-00000000/)
    })

    test('tells of requests and connections of the moment', async () => {
      gate = Promise.withResolvers()
      const before = await figure('quire_http_requests_in_flight')
      const asking = server.as('Administrator').get('/wait')
      await until(async () => (await figure('quire_http_requests_in_flight')) === before + 1)
      assert.ok((await figure('quire_http_connections')) >= 2)
      gate.resolve()
      assert.equal((await asking).status, 200)
      await until(async () => (await figure('quire_http_requests_in_flight')) === before)
    })

    test('tells of jobs: those that wait, run, are done and were given up', async () => {
      await untilIdle(server)
      gate = Promise.withResolvers()
      await addJob('wait')
      await addJob('wait')
      await until(async () => (await figure('quire_jobs_running')) === 1)
      assert.equal(await figure('quire_jobs_pending', { repository: 'default' }), 2)
      const parked = await figure('quire_jobs_parked')
      await addJob('fail')
      gate.resolve()
      await untilIdle(server)
      const labels = (outcome: string) => ({ kind: 'waiting.work', outcome })
      await until(async () => (await figure('quire_job_runs_total', labels('parked'))) === 1)
      assert.equal(await figure('quire_job_runs_total', labels('done')), 2)
      assert.equal(await figure('quire_job_duration_seconds_count', { kind: 'waiting.work' }), 3)
      assert.equal(await figure('quire_jobs_parked'), parked + 1)
    })

    test('tells of caches, transactions, searches and connections of a repository', async () => {
      const admin = server.as('Administrator')
      const { uid } = await bench.create('File', { 'dc:title': 'searched' })
      const of = (cache: string) => ({ repository: 'default', cache })
      const counts = async () => [
        await figure('quire_cache_misses_total', of('documents')),
        await figure('quire_cache_hits_total', of('documents')),
        await figure('quire_cache_misses_total', of('results')),
        await figure('quire_cache_hits_total', of('results')),
        await figure('quire_transactions_total', { outcome: 'committed' }),
        await figure('quire_transactions_total', { outcome: 'failed' }),
        await figure('quire_search_duration_seconds_count', { repository: 'default' }),
      ]
      const before = await counts()
      const query = encodeURIComponent("SELECT * FROM File WHERE dc:title = 'searched'")
      await bench.create('File', { 'dc:title': 'another' })
      await assert.rejects(server.asSystem(() => Promise.reject(new Error('no'))))
      // Whatever is committed in the background in between empties the cache of results.
      await until(async () => {
        await admin.get(`/id/${uid}`)
        await admin.get(`/search/lang/NXQL/execute?query=${query}`)
        return (await counts()).every((count, index) => count > (before[index] ?? 0))
      })
      assert.ok((await figure('quire_cache_entries', of('documents'))) > 0)
      const text = await read()
      assert.match(text, /^quire_database_waiting\{repository="default",for="write"\} 0$/m)
      if (engine === 'postgres') assert.ok((await figure('quire_database_connections', { pool: 'reading' })) > 0)
      else assert.match(text, /^quire_search_processes\{repository="default"\} \d+$/m)
    })

    test('tells of files and of what is made of them', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'file' })
      const counts = async () => [
        await figure('quire_blob_operations_total', { operation: 'write', outcome: 'done' }),
        await figure('quire_blob_operations_total', { operation: 'read', outcome: 'done' }),
        await figure('quire_blob_operation_duration_seconds_count', { operation: 'write' }),
        await figure('quire_blob_written_bytes_total'),
        await figure('quire_conversions_total', { outcome: 'done' }),
        await figure('quire_conversions_total', { outcome: 'cached' }),
        await figure('quire_conversions_total', { outcome: 'failed' }),
        await figure('quire_conversion_duration_seconds_count'),
      ]
      const before = await counts()
      await attach(server, uid, 'a text to be read', { name: 'small.txt', 'mime-type': 'text/plain' })
      assert.equal((await download(server, `api/v1/id/${uid}/@blob/file:content`)).status, 200)
      for (let round = 0; round < 2; round++)
        assert.equal((await download(server, `api/v1/id/${uid}/@convert?format=html`)).status, 200)
      const { uid: broken } = await bench.create('File', { 'dc:title': 'broken' })
      await attach(server, broken, 'no picture at all', { name: 'broken.png', 'mime-type': 'image/png' })
      assert.notEqual((await download(server, `api/v1/id/${broken}/@convert?type=image/jpeg`)).status, 200)
      const after = await counts()
      for (const [index, count] of after.entries()) assert.ok(count > (before[index] ?? 0), `figure ${index}`)
      assert.match(await read(), /^quire_conversions_running \d+$/m)
    })

    describe('tells of the health', () => {
      test('which is well, but for the disk', async () => {
        assert.equal(await figure('quire_probe_healthy', { probe: 'repositoryStatus' }), 1)
        assert.equal(await figure('quire_probe_healthy', { probe: 'diskStatus' }), 0)
      })
    })
  },
  { plugins: [waiting], settings: { diskMinFree: '9000000 GB', managementUser: 'watcher', metricsKey: key } },
)
