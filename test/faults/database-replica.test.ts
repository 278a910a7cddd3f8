import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type ApiCaller, startTestServer, type TestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { postgresPlace } from '../support/database-place.ts'
import { startPostgresWithReplica } from '../support/embedded-postgres.ts'

describe('a server whose database has a replica', { timeout: 180_000 }, () => {
  let postgres: Awaited<ReturnType<typeof startPostgresWithReplica>>
  let onReplica: pg.Client
  let server: TestServer
  let other: TestServer
  let administrator: ApiCaller
  const events: string[] = []
  const log = {
    error: () => {},
    warn: ({ event }: { event: string }) => void events.push(event),
    info: ({ event }: { event: string }) => void events.push(event),
    debug: () => {},
  }

  before(async () => {
    postgres = await startPostgresWithReplica()
    const settings = { databaseUrl: postgres.url, databaseReplicaUrl: postgres.replicaUrl, databaseSchema: 'followed' }
    server = await startTestServer({ settings, log })
    other = await startTestServer({ settings })
    administrator = server.as('Administrator')
    onReplica = new pg.Client(postgres.replicaUrl)
    await onReplica.connect()
  })
  after(async () => {
    await onReplica?.end()
    await other?.stop()
    await server?.stop()
    await postgres?.stop()
  })

  const searches = async () => {
    const { rows } = await onReplica.query<{ sum: string }>('SELECT coalesce(sum(xact_commit), 0) AS sum FROM pg_stat_database')
    return Number(rows[0]?.sum)
  }
  const titled = (title: string) =>
    `/search/lang/NXQL/execute?query=${encodeURIComponent(`SELECT * FROM Document WHERE dc:title = '${title}'`)}`
  const count = async (caller: ApiCaller, title: string) => (await caller.get(titled(title))).body.resultsCount as number
  const isLeft = () => events.findLast((event) => event.startsWith('store.replica')) === 'store.replicaLeft'
  /** On a busy machine the replica may be behind at any time, and is left for a while. */
  async function untilSearched() {
    for (let round = 0; isLeft(); round++) {
      assert.equal(await count(administrator, `never written ${round}`), 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  async function create(title: string, caller = administrator) {
    const document = { 'entity-type': 'document', type: 'Workspace', name: title, properties: { 'dc:title': title } }
    const { status, body } = await caller.post('/path/default-domain/workspaces', document)
    assert.equal(status, 201)
    return body.uid as string
  }

  test('searches it, and finds each time what was written the moment before, by whichever server', async () => {
    const before = await searches()
    for (let round = 0; round < 20; round++) {
      const writer = round % 2 === 0 ? server : other
      await create(`round ${round}`, writer.as('Administrator'))
      assert.equal(await count(server.as('Administrator'), `round ${round}`), 1)
      assert.equal(await count(other.as('Administrator'), `round ${round}`), 1)
    }
    // Its counts are told a little later; on a busy machine it may be behind, and is not asked until it is back.
    while ((await searches()) < before + 20) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      assert.equal(await count(administrator, 'round 0'), 1)
    }
  })

  test('shows nobody what they may no longer read, from the next request on', async () => {
    await server.addUser('mira', ['members'])
    const mira = other.as('mira')
    const secret = await create('secret')
    assert.equal(await count(mira, 'secret'), 1)
    await administrator.post(`/id/${secret}/@op/Document.BlockPermissionInheritance`, { params: {} })
    assert.equal(await count(mira, 'secret'), 0)
  })

  test('searches the database itself while the replica is behind, and the replica again when it has caught up', async () => {
    await onReplica.query('SELECT pg_wal_replay_pause()')
    try {
      await create('ahead')
      assert.equal(await count(administrator, 'ahead'), 1)
      assert.ok(isLeft())
    } finally {
      await onReplica.query('SELECT pg_wal_replay_resume()')
    }
    await untilSearched()
  })

  test('is told by quire doctor how far its replica is behind', async () => {
    const place = postgresPlace(tmpdir(), postgres.url, 'followed')
    const lag = async () => {
      const { printed } = await commandLineAt(place).run(['doctor', '--json', '--database-replica-url', postgres.replicaUrl])
      return JSON.parse(printed).findings.find(({ about }: { readonly about: string }) => about === 'replica')
    }
    assert.equal((await lag()).state, 'good')
    await onReplica.query('SELECT pg_wal_replay_pause()')
    try {
      await place.query("SELECT pg_logical_emit_message(false, 'lag', repeat('x', 20000000)), pg_switch_wal()")
      const { state, fact } = await lag()
      assert.equal(state, 'advice')
      assert.match(fact, /is \d+ MB and [\d.]+ s behind\.$/)
    } finally {
      await onReplica.query('SELECT pg_wal_replay_resume()')
      await place.close()
    }
  })

  test('leaves a replica that was made a server of its own', async () => {
    await untilSearched()
    await onReplica.query('SELECT pg_promote()')
    await create('after promotion')
    assert.equal(await count(administrator, 'after promotion'), 1)
    assert.equal(await count(other.as('Administrator'), 'after promotion'), 1)
    assert.ok(isLeft())
  })
})

test('a replica of the embedded database is refused in a sentence', async () => {
  const settings = { databaseReplicaUrl: 'postgres://127.0.0.1:1/none' }
  await assert.rejects(startTestServer({ settings }), /databaseReplicaUrl is given without databaseUrl/)
})
