import assert from 'node:assert/strict'
import { globSync, open, read, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { PermanentFailure } from '../../src/core/jobs/worker.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { json } from '../../src/rest/answer.ts'
import { Type } from '../../src/rest/openapi/schema.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { heavyPath } from '../search/heavy-query/heavy-text.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { attach, download } from '../support/files.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts'
import { workbenchOn } from '../support/workbench.ts'

// Every figure that the server tells has a line here that makes it change; a new one without its line fails the last tests.

let gate = Promise.withResolvers<void>()
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
  converters: [
    {
      name: 'waiting.sleep',
      sources: ['text/plain'],
      destinations: ['application/x-deed'],
      ways: [{ module: new URL('../support/conversion/misbehaving-converter.ts', import.meta.url) }],
    },
  ],
})

interface Scene {
  readonly server: TestServer
  readonly place: DatabasePlace
}

interface Case {
  /** The rows that are looked at. */
  readonly labels?: Readonly<Record<string, string>>
  /** What it is while nothing is done: what was done before may take a moment to end. */
  readonly atRest?: number
  /** Makes it change; what it gives undoes that, and the figure has to become what it was. */
  make(scene: Scene): Promise<undefined | (() => Promise<unknown>)>
}

const asAdministrator =
  (path: string) =>
  async ({ server }: Scene) => {
    await server.as('Administrator').get(path)
    return undefined
  }

async function attachSomething({ server }: Scene): Promise<string> {
  const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'file' })
  await attach(server, uid, `a text ${uid}`, { name: 'small.txt', 'mime-type': 'text/plain' })
  return uid
}

async function writeFile(scene: Scene): Promise<undefined> {
  await attachSomething(scene)
}

async function convertFile(scene: Scene): Promise<undefined> {
  const uid = await attachSomething(scene)
  assert.equal((await download(scene.server, `api/v1/id/${uid}/@convert?format=html`)).status, 200)
}

/** Has so many conversions sleep. */
const sleeping =
  (count: number) =>
  async ({ server: { services } }: Scene) => {
    const end = new AbortController()
    const source = { name: 'a.txt', mimeType: 'text/plain', encoding: null, open: async () => Readable.from(['text']) }
    const wish = { parameters: { deed: 'sleep', seconds: '600' }, signal: end.signal }
    const all = Array.from({ length: count }, () =>
      services.conversions.convertFor(source, { converter: 'waiting.sleep' }, async () => {}, wish).catch(() => {}),
    )
    return async () => {
      end.abort()
      await Promise.all(all)
    }
  }

const gated = (begin: (scene: Scene) => Promise<unknown>) => async (scene: Scene) => {
  gate = Promise.withResolvers()
  const begun = begin(scene)
  return async () => {
    gate.resolve()
    await begun
  }
}

const addJob =
  (payload: string) =>
  async ({ server }: Scene) => {
    await server.asSystem(({ tx }) => tx.jobs.add('waiting.work', payload))
    return undefined
  }

/** More transactions than there are places for, which all wait for the gate. */
const holdTransactions = (count: number) =>
  gated(({ server }) => Promise.all(Array.from({ length: count }, () => server.asSystem(() => gate.promise))))

let searches = 0
async function search({ server }: Scene): Promise<undefined> {
  const query = `SELECT * FROM File WHERE dc:title = 'search ${++searches}'`
  await server.as('Administrator').get(`/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`)
}

async function readTwice(scene: Scene): Promise<undefined> {
  const uid = await attachSomething(scene)
  for (let round = 0; round < 3; round++) await scene.server.as('Administrator').get(`/id/${uid}`)
}

/** No valid subjects are so many. */
async function searchLong({ server }: Scene): Promise<undefined> {
  const subjects = Array.from({ length: 12 }, (_, index) => `subject ${index}`)
  const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'many' })
  await server.asSystem(async ({ tx }) => {
    const document = await tx.documents.findForUpdate(uid)
    if (document === undefined) return
    await tx.documents.update(document, { ...document, properties: { ...document.properties, 'dc:subjects': subjects } })
  })
  await server.as('Administrator').get(heavyPath)
}

const repository = { repository: 'default' }

const cases: Readonly<Record<string, Case>> = {
  quire_blob_operation_duration_seconds: { labels: { operation: 'write' }, make: writeFile },
  quire_blob_operations_total: { labels: { operation: 'write', outcome: 'done' }, make: writeFile },
  quire_blob_written_bytes_total: { make: writeFile },
  quire_cache_entries: { labels: { ...repository, cache: 'documents' }, make: readTwice },
  quire_cache_hits_total: { labels: { ...repository, cache: 'documents' }, make: readTwice },
  quire_cache_misses_total: { labels: { ...repository, cache: 'documents' }, make: readTwice },
  quire_conversion_duration_seconds: { make: convertFile },
  quire_conversions_running: { atRest: 0, make: sleeping(1) },
  quire_conversions_total: { labels: { outcome: 'done' }, make: convertFile },
  quire_conversions_waiting: { atRest: 0, make: sleeping(2) },
  quire_database_connections: { labels: { pool: 'writing', state: 'busy' }, make: holdTransactions(1) },
  quire_database_waiting: { atRest: 0, labels: { ...repository, for: 'write' }, make: holdTransactions(12) },
  quire_http_connections: {
    async make({ server }) {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      await new Promise((resolve) => socket.once('connect', resolve))
      return async () => socket.destroy()
    },
  },
  quire_http_request_duration_seconds: { labels: { route: '/api/v1/me' }, make: asAdministrator('/me') },
  quire_http_requests_in_flight: { make: gated(({ server }) => server.as('Administrator').get('/wait')) },
  quire_http_requests_total: { labels: { route: '/api/v1/me', status: '200' }, make: asAdministrator('/me') },
  quire_job_duration_seconds: { labels: { kind: 'waiting.work' }, make: addJob('fail') },
  quire_job_runs_total: { labels: { kind: 'waiting.work', outcome: 'parked' }, make: addJob('fail') },
  quire_jobs_parked: { labels: repository, make: addJob('fail') },
  quire_jobs_pending: { atRest: 0, labels: repository, make: gated(addJob('wait')) },
  quire_jobs_running: { atRest: 0, make: gated(addJob('wait')) },
  quire_probe_healthy: {
    labels: { probe: 'repositoryStatus' },
    async make({ place }) {
      await place.query('INSERT INTO schema_version (version) VALUES (9999)')
      return () => place.query('DELETE FROM schema_version WHERE version = 9999')
    },
  },
  quire_search_duration_seconds: { labels: repository, make: search },
  quire_search_processes: { labels: repository, make: searchLong },
  quire_trace_spans_total: { labels: { outcome: 'recorded' }, make: asAdministrator('/me') },
  quire_transactions_total: {
    labels: { ...repository, outcome: 'failed' },
    async make({ server }) {
      await assert.rejects(server.asSystem(() => Promise.reject(new Error('no'))))
      return undefined
    },
  },
}

const searchEngine = 'test/search/search-engine.test.ts'

/** Of several processes, or of another server; those tests make them change. */
const elsewhere: Readonly<Record<string, string>> = {
  quire_workers: 'test/faults/worker-metrics.test.ts',
  quire_worker_ends_total: 'test/faults/worker-metrics.test.ts',
  quire_workers_late: 'src/cli/serve/worker-metrics.test.ts',
  quire_search_engine_searches_total: searchEngine,
  quire_search_engine_search_duration_seconds: searchEngine,
  quire_search_engine_documents_total: searchEngine,
  quire_search_engine_behind: searchEngine,
}

/** What the process cannot change of itself. */
const constants = new Set(['nodejs_version_info', 'process_start_time_seconds', 'process_max_fds'])

const notThere: Readonly<Record<string, string>> = { sqlite: 'quire_database_connections', postgres: 'quire_search_processes' }
const isHistogram = (name: string) => name.endsWith('_duration_seconds')
const key = 'a key for the one that watches'

/** The figures as they are told: the names with their kinds, and the rows. */
async function figuresOf(server: TestServer) {
  const answer = await fetch(new URL('metrics', server.url), { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200)
  const text = await answer.text()
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('#'))
  return {
    names: [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name),
    rowsOf: (name: string) => rows.filter((row) => row.startsWith(`${name}{`) || row.startsWith(`${name} `)),
    sum(name: string, labels: Readonly<Record<string, string>> = {}) {
      const isMeant = (row: string) => Object.entries(labels).every(([label, value]) => row.includes(`${label}="${value}"`))
      return this.rowsOf(isHistogram(name) ? `${name}_count` : name)
        .filter(isMeant)
        .reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0)
    },
  }
}

for (const engine of engines) {
  describe(`every figure of /metrics changes with what it tells of (${engine})`, () => {
    let scene: Scene
    let collector: TraceCollector
    before(async () => {
      collector = await startTraceCollector()
      const place = await filledPlace(engine)
      const watched = { metricsKey: key, traceUrl: collector.url, conversionProcesses: 1, searchTimeLimit: '500ms' }
      scene = { place, server: await startTestServer({ plugins: [waiting], settings: { ...place.settings, ...watched } }) }
    })
    after(async () => {
      await scene.server.stop()
      await collector.stop()
    })

    for (const [name, { labels, atRest, make }] of Object.entries(cases)) {
      if (notThere[engine] === name) continue
      test(name, async () => {
        const figure = async () => (await figuresOf(scene.server)).sum(name, labels)
        const until = async (condition: (value: number) => boolean, what: string) => {
          const patience = AbortSignal.timeout(60_000)
          while (!condition(await figure())) {
            if (patience.aborted) assert.fail(`${name} did not ${what}`)
            await pause(20)
          }
        }
        if (atRest !== undefined) await until((value) => value === atRest, 'come to rest')
        const earlier = await figure()
        const undo = await make(scene)
        await until((value) => value !== earlier, 'change')
        if (undo === undefined) return
        await undo()
        await until((value) => value === earlier, 'become what it was')
      })
    }

    test('and those of the process, when it works', async () => {
      const earlier = await figuresOf(scene.server)
      const relax = await strain()
      const now = await figuresOf(scene.server)
      relax()
      const own = now.names.filter((name) => /^(?:process|nodejs)_/.test(name) && !constants.has(name))
      assert.ok(own.length > 10)
      const histograms = ['nodejs_gc_duration_seconds']
      const rowsOf = (figures: typeof now, name: string) =>
        figures.rowsOf(histograms.includes(name) ? `${name}_count` : name).join()
      assert.deepEqual(
        own.filter((name) => rowsOf(now, name) === rowsOf(earlier, name)),
        [],
      )
    })

    test('and there is no other', async () => {
      const { names } = await figuresOf(scene.server)
      const known = (name: string) => name in cases || constants.has(name) || /^(?:process|nodejs)_/.test(name)
      assert.deepEqual(
        names.filter((name) => !known(name)),
        [],
      )
    })
  })
}

/** Takes processor time, memory, files, sockets and the time of the event loop. Gives what ends it. */
async function strain(): Promise<() => void> {
  const [buffers, objects] = [[Buffer.alloc(40_000_000, 1)], Array.from({ length: 300_000 }, (_, index) => ({ index }))]
  for (let round = 0; round < 30; round++) Array.from({ length: 50_000 }, (_, index) => `${index} of ${round}`)
  const listening = Array.from({ length: 5 }, () => createServer().listen(0))
  const file = await new Promise<number>((resolve, reject) =>
    open('/dev/urandom', (error, opened) => (error === null ? resolve(opened) : reject(error))),
  )
  const blocked = performance.now() + 60
  while (performance.now() < blocked);
  await pause(30)
  // Under way for as long as the figures are read.
  const large = Buffer.alloc(30_000_000)
  for (let round = 0; round < 8; round++) read(file, large, 0, large.length, null, () => {})
  return () => {
    for (const one of listening) one.close()
    buffers.length = 0
    objects.length = 0
  }
}

describe('every figure that the sources name', () => {
  const root = join(import.meta.dirname, '../..')
  const named = new Set(
    globSync('src/**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .filter((text) => text.includes('/metrics.ts'))
      .flatMap((text) => [...text.matchAll(/'(quire_[a-z_]+)'/g)].map(([, name = '']) => name)),
  )

  test('has a line above that makes it change', () => {
    assert.ok(named.size > 20)
    assert.deepEqual(
      [...named].filter((name) => !(name in cases || name in elsewhere)),
      [],
    )
  })

  test('and no line is of one that is gone', () => {
    assert.deepEqual(
      Object.keys({ ...cases, ...elsewhere }).filter((name) => !named.has(name)),
      [],
    )
  })

  for (const [name, file] of Object.entries(elsewhere)) {
    test(`and ${file} looks at ${name}`, () => assert.match(readFileSync(join(root, file), 'utf8'), new RegExp(`'${name}'`)))
  }
})
