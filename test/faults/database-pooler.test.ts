import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type ApiCaller, startTestServer, type TestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { postgresPlace } from '../support/database-place.ts'
import { basicHeader, openEventStream } from '../support/event-stream.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { freshPostgresSchema, testPostgresUrl } from '../support/postgres.ts'
import { batchOf, beginBatch, fileOf } from '../support/uploads.ts'

const arrangements = [
  {
    name: 'that knows prepared statements where its version does, with a way past it',
    preparedStatements: 200,
    hasDirectWay: true,
    repositories: ['default'],
  },
  {
    name: 'that knows none, and no way past it',
    preparedStatements: 0,
    hasDirectWay: false,
    repositories: ['default', 'archive'],
  },
] as const

for (const { name, preparedStatements, hasDirectWay, repositories } of arrangements) {
  const skip = hasPgBouncer() ? false : 'PgBouncer is not installed'
  describe(`two servers behind a PgBouncer in transaction mode ${name}`, { skip, timeout: 120_000 }, () => {
    let pooler: PgBouncer
    let databaseUrl: string
    let one: TestServer
    let other: TestServer
    const events: string[] = []
    const note = ({ event }: { event: string }) => void events.push(event)
    const log = { error: note, warn: note, info: note, debug: () => {} }

    before(async () => {
      const place = await freshPlace('postgres')
      databaseUrl = await testPostgresUrl()
      pooler = await startPgBouncer(databaseUrl, { poolSize: 12, preparedStatements })
      const settings = {
        ...place.settings,
        databaseUrl: pooler.url,
        ...(hasDirectWay && { databaseDirectUrl: databaseUrl }),
        // Two schemas behind the same connections: whoever relied on what was set before would meet the other one.
        repositories,
      }
      // At the same time, so that both want to make the tables.
      ;[one, other] = await Promise.all([startTestServer({ settings, log }), startTestServer({ settings, log })])
    })
    after(async () => {
      await other?.stop()
      await one?.stop()
      await pooler?.stop()
    })

    const inTurn = (round: number) => (round % 2 === 0 ? one : other)
    const administrator = (server: TestServer) => server.as('Administrator')
    async function create(caller: ApiCaller, title: string, repository = 'default', properties = {}) {
      const document = { 'entity-type': 'document', type: 'File', name: title, properties: { 'dc:title': title, ...properties } }
      const { status, body } = await caller.post(`/repo/${repository}/path/default-domain/workspaces`, document)
      assert.equal(status, 201, JSON.stringify(body))
      return body.uid as string
    }
    async function count(caller: ApiCaller, condition: string, repository = 'default') {
      const query = encodeURIComponent(`SELECT * FROM Document WHERE ${condition}`)
      const { status, body } = await caller.get(`/repo/${repository}/search/lang/NXQL/execute?query=${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.resultsCount as number
    }

    test('each find at once what the other wrote, in its repository and in no other', async () => {
      for (let round = 0; round < 10; round++) {
        const [repository = '', elsewhere] = round % 3 === 0 ? repositories.toReversed() : repositories
        await create(administrator(inTurn(round)), `round ${round}`, repository)
        for (const server of [one, other]) {
          assert.equal(await count(administrator(server), `dc:title = 'round ${round}'`, repository), 1)
          if (elsewhere !== undefined)
            assert.equal(await count(administrator(server), `dc:title = 'round ${round}'`, elsewhere), 0)
        }
      }
    })

    test('answer many at once, more than the pooler has connections', async () => {
      const before = await count(administrator(one), "dc:title LIKE 'crowd %'")
      await Promise.all(Array.from({ length: 60 }, (_, at) => create(administrator(inTurn(at)), `crowd ${at}`)))
      assert.equal((await count(administrator(other), "dc:title LIKE 'crowd %'")) - before, 60)
    })

    test('lose no change of one document that both make', async () => {
      const id = await create(administrator(one), 'counted')
      const add = async (round: number) => {
        const body = { 'entity-type': 'document', properties: { 'dc:description': `by ${round}` } }
        assert.equal((await administrator(inTurn(round)).put(`/id/${id}`, body)).status, 200)
      }
      await Promise.all(Array.from({ length: 8 }, (_, round) => add(round)))
      assert.match((await administrator(one).get(`/id/${id}`)).body.changeToken, /^8-/)
    })

    test('keep each other from what somebody has locked', async () => {
      await one.addUser('lena', ['members', 'administrators'])
      const id = await create(administrator(one), 'locked')
      assert.equal((await one.as('lena').post(`/id/${id}/@op/Document.Lock`, { params: {} })).status, 200)
      const { status } = await administrator(other).post(`/id/${id}/@op/Document.Lock`, { params: {} })
      assert.equal(status, 409)
    })

    test('show nobody what they may no longer read, from the next request on', async () => {
      await one.addUser('mira', ['members'])
      const id = await create(administrator(one), 'secret')
      assert.equal(await count(other.as('mira'), "dc:title = 'secret'"), 1)
      await administrator(one).post(`/id/${id}/@op/Document.BlockPermissionInheritance`, { params: {} })
      assert.equal(await count(other.as('mira'), "dc:title = 'secret'"), 0)
      assert.equal((await other.as('mira').get(`/id/${id}`)).status, 403)
    })

    test('take a file in pieces, by turns, whose text a job has found by its words', async () => {
      const batch = await beginBatch(one)
      const headers = { 'X-File-Name': 'note.txt', 'X-File-Type': 'text/plain' }
      const pieces = ['a rhinoc', 'eros in ', 'the pool']
      for (const [at, content] of pieces.entries()) {
        const sent = { at, of: pieces.length, content, fileSize: pieces.join('').length }
        const { status } = await batchOf(inTurn(at), batch.id).sendChunk(0, sent, headers)
        assert.ok(status === 201 || status === 308 || status === 202, String(status))
      }
      await create(administrator(other), 'with a file', 'default', { 'file:content': fileOf(batch) })
      while ((await count(administrator(one), "ecm:fulltext = 'rhinoceros'")) === 0) await delay(20)
    })

    test('tell whoever listens to one what the other commits', async () => {
      const stream = await openEventStream(one.url, basicHeader('Administrator'))
      const id = await create(administrator(other), 'heard of')
      await stream.until(({ data }) => data.documentId === id)
      stream.close()
      assert.equal(events.includes('store.nudgesPooled'), !hasDirectWay)
    })

    test('leave nothing of their settings on connections that others get next', async () => {
      const clients = Array.from({ length: 12 }, () => new pg.Client(pooler.url))
      await Promise.all(clients.map((client) => client.connect()))
      // Each in a transaction, so that every one of them has a connection of its own.
      await Promise.all(clients.map((client) => client.query('BEGIN')))
      const settings = ['search_path', 'statement_timeout', 'lock_timeout', 'jit', 'random_page_cost']
      const shown = `SELECT ${settings.map((setting) => `current_setting('${setting}')`).join(", ' ', ")}`
      const answers = await Promise.all(clients.map((client) => client.query({ text: shown, rowMode: 'array' })))
      const usual = new pg.Client(databaseUrl)
      await usual.connect()
      const { rows } = await usual.query({ text: shown, rowMode: 'array' })
      for (const answer of answers) assert.deepEqual(answer.rows, rows)
      await Promise.all([usual, ...clients].map((client) => client.end()))
    })

    test('log nothing that went wrong', () => {
      assert.deepEqual(
        events.filter((event) => /connectionLost|failed|unreadable|interrupted/.test(event)),
        [],
      )
    })
  })
}

describe('commands that need a connection to themselves', { skip: hasPgBouncer() ? false : 'PgBouncer is not installed' }, () => {
  test('say that a pooler is in the way, and what to name instead', async () => {
    const { url, schema } = await freshPostgresSchema()
    const pooler = await startPgBouncer(url, { poolSize: 4, preparedStatements: 200 })
    const folder = await mkdtemp(join(tmpdir(), 'quire-pooled-'))
    const place = postgresPlace(folder, pooler.url, schema)
    try {
      const { code, complained } = await commandLineAt(place).run(['backup', join(folder, 'backups')])
      assert.notEqual(code, 0)
      assert.match(complained, /connection pooler.*databaseDirectUrl/)
    } finally {
      await place.close()
      await pooler.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
