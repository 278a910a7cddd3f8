import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Log, type LogFields, silentLog } from '../../src/base/log.ts'
import type { TestServer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'
import { heavyPath, heavyText } from './heavy-query/heavy-text.ts'
import { keepDoing, latenciesOf, p99 } from './heavy-query/latencies.ts'
import { fillLibrary, type Library } from './library.ts'

const timeLimit = '1s'

const told: LogFields[] = []
const log: Log = { ...silentLog, warn: (fields) => told.push(fields) }

/** `npm run stress -- heavy-query` holds to three times as long; here other tests run beside, and a blocked server takes a second. */
const tolerated = { factor: 3, milliseconds: 500 }

onEachServer(
  'while a heavy query runs',
  (server, engine) => {
    let library: Library
    before(async () => {
      told.length = 0
      library = await fillServer(server)
      await server.addUser('alice', ['administrators'])
    })
    const lookUp = async () => {
      const { status } = await server.as('Administrator').get(`/id/${library.items[17]?.id}`)
      assert.equal(status, 200)
    }
    const heavyStatus = async (user = 'Administrator') => (await server.as(user).get(heavyPath)).status

    test('others look up documents about as quickly as ever', async () => {
      await latenciesOf(lookUp, 200)
      const quiet = p99(await latenciesOf(lookUp, 500))
      const heavy = keepDoing(() => heavyStatus())
      const busy = p99(await latenciesOf(lookUp, 1_200))
      await heavy.end()
      const bound = Math.max(tolerated.factor * quiet, tolerated.milliseconds)
      assert.ok(busy < bound, `${busy} ms instead of ${quiet} ms`)
    })

    test('others search and write', async () => {
      let isOver = false
      const heavy = heavyStatus().finally(() => {
        isOver = true
      })
      await delay(50)
      const shelf = library.folders[0]
      const query = `SELECT * FROM Document WHERE ecm:parentId = '${shelf?.id}' ORDER BY dc:title`
      const found = await server.as('alice').get(`/search/execute?pageSize=10&query=${encodeURIComponent(query)}`)
      const made = await server
        .as('Administrator')
        .post(`/id/${shelf?.id}`, { 'entity-type': 'document', type: 'File', name: 'made meanwhile' })
      assert.deepEqual([found.status, found.body.entries.length, made.status], [200, 10, 201])
      assert.equal(isOver, false)
      assert.equal(await heavy, 422)
    })

    test('it is stopped when its time is over, with a sentence that names the limit and the setting', async () => {
      const started = performance.now()
      const { status, body } = await server.as('Administrator').get(heavyPath)
      const milliseconds = performance.now() - started
      assert.equal(status, 422)
      assert.equal(body.status, 422)
      assert.match(body.message, /^The search took longer than 1 seconds and was stopped\. .* searchTimeLimit /)
      assert.ok(milliseconds >= 1_000 && milliseconds < 5_000, `${milliseconds} ms`)
    })

    test('the log tells of it each time, and once how the database runs it', async () => {
      const slow = () => told.filter(({ event, nxql }) => event === 'search.slow' && nxql === heavyText)
      const before = slow().length
      assert.equal(await heavyStatus(), 422)
      while (slow().length === before) await delay(5)
      const last = slow().at(-1)
      assert.equal(last?.['repository'], 'default')
      assert.ok(Number(last?.['ms']) >= 500, String(last?.['ms']))
      assert.match(String(last?.['failed']), /took longer than/)
      const plans = slow().flatMap(({ plan }) => plan ?? [])
      assert.match(String(plans), engine === 'sqlite' ? /SEARCH|SCAN/ : /cost=/)
      assert.equal(slow().filter(({ plan }) => plan !== undefined).length, 1)
    })

    test('the log tells of no search that takes no time', async () => {
      const quick = 'SELECT * FROM Domain'
      assert.equal((await server.as('Administrator').get(`/search/execute?query=${quick}`)).status, 200)
      assert.deepEqual(
        told.filter(({ nxql }) => nxql === quick),
        [],
      )
    })

    test('more of them than there is room for wait, and are told when they have waited for too long', async () => {
      const statuses = Promise.all(Array.from({ length: 12 }, () => heavyStatus()))
      await delay(50)
      // Whoever has only one need not wait for the many of somebody else.
      assert.equal(await heavyStatus('alice'), 422)
      assert.deepEqual([...new Set(await statuses)].sort(), [422, 503])
      assert.equal((await server.as('Administrator').get(`/id/${library.items[0]?.id}`)).status, 200)
    })

    test('in a transaction it is stopped likewise, and nothing of the transaction stays', async () => {
      const folder = library.folders[1]
      await assert.rejects(
        server.asSystem(async (session) => {
          await session.tx.documents.remove(folder?.id as string)
          const query = session.repository.queries(decodeURIComponent(heavyPath.replace(/.*query=/, '')))
          return session.tx.search.listIds(query, { now: session.now }, { offset: 0 })
        }),
        { code: 'queryTimedOut' },
      )
      assert.equal((await server.as('Administrator').get(`/id/${folder?.id}`)).status, 200)
    })
  },
  { log, settings: { searchTimeLimit: timeLimit, searchSlow: '500ms', searchesPerUser: 1 } },
)

async function fillServer({ services }: TestServer): Promise<Library> {
  const store = services.repositories.get('default')?.store
  const parent = await store?.reader.documents.findByPath('/default-domain/workspaces')
  if (store === undefined || parent === undefined) throw new Error('There is nowhere to put a library.')
  return fillLibrary(store, parent, 1_000)
}
