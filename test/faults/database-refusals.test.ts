import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { callApi } from '../support/call-api.ts'
import { type DatabasePlace, postgresPlace } from '../support/database-place.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../support/embedded-postgres.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { type Program, runProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { createLedger, settleLedger } from './one-tree/ledger.ts'

const workspaces = '/path/default-domain/workspaces'

/** One line and nothing of where in the program it happened. */
function assertSentence(complained: string, expected: RegExp): void {
  assert.match(complained, expected)
  assert.doesNotMatch(complained, /\n\s+at |unexpected|pg_trgm/)
}

describe('a PostgreSQL that refuses', { timeout: 180_000 }, () => {
  let postgres: EmbeddedPostgres
  let admin: pg.Client
  let folder = ''
  let place: DatabasePlace
  before(async () => {
    postgres = await startEmbeddedPostgres()
    admin = new pg.Client(postgres.url)
    await admin.connect()
    folder = await mkdtemp(join(tmpdir(), 'quire-refusals-'))
    place = postgresPlace(folder, postgres.url, 'refusing')
  })
  after(async () => {
    await place.close()
    await admin.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const addressed = (change: (url: URL) => void): string => {
    const url = new URL(postgres.url)
    change(url)
    return String(url)
  }

  describe('at a start is told in one sentence', () => {
    const starts: Readonly<Record<string, readonly [(url: URL) => void, RegExp]>> = {
      'a database that is missing': [
        (url) => {
          url.pathname = '/nowhere'
        },
        /no database of that name/,
      ],
      'a role that is missing': [
        (url) => {
          url.username = 'stranger'
        },
        /does not let the role in/,
      ],
      'a role without the right to make a schema': [
        (url) => {
          url.username = 'limited'
          url.password = 'right'
        },
        /lacks a right/,
      ],
      'a wrong password': [
        (url) => {
          url.username = 'limited'
          url.password = 'wrong'
        },
        /does not accept the password/,
      ],
      'no password': [
        (url) => {
          url.username = 'limited'
        },
        /wants a password/,
      ],
      'nobody at the address': [
        (url) => {
          url.port = '9'
        },
        /does not answer/,
      ],
    }
    before(async () => {
      await admin.query("CREATE ROLE limited LOGIN PASSWORD 'right'")
      const { rows } = await admin.query('SHOW hba_file')
      await admin.query(
        `COPY (VALUES ('host all limited 127.0.0.1/32 scram-sha-256'), ('host all all 127.0.0.1/32 trust')) TO '${rows[0].hba_file}'`,
      )
      await admin.query('SELECT pg_reload_conf()')
    })
    for (const [mistake, [change, expected]] of Object.entries(starts)) {
      test(mistake, async () => {
        const url = addressed(change)
        const { code, complained } = await runProgram(quireProgram, [
          'serve',
          '--port',
          '0',
          '--data',
          folder,
          '--database-url',
          url,
        ])
        assert.notEqual(code, 0)
        assertSentence(complained, expected)
        assert.doesNotMatch(complained, /right@|wrong@/)
      })
    }
  })

  describe('while a server runs on it', () => {
    let program: Program
    const ledger = createLedger()
    let written = 0
    before(async () => {
      program = await startServerProgram(place)
    })
    after(async () => {
      assert.equal(await stopProgram(program), 0)
      assert.deepEqual(await settleLedger(ledger, place), [])
    })
    const read = () => callApi(program.url, 'GET', workspaces)
    const write = async () => {
      const title = `document ${++written}`
      const body = { 'entity-type': 'document', type: 'File', name: title, properties: { 'dc:title': title } }
      const answer = await callApi(program.url, 'POST', workspaces, body)
      if (answer.status === 201) ledger.titles.set(answer.body.uid, title)
      return answer
    }

    test('is answered 503 when it is read-only, and reads go on', async () => {
      const setReadOnly = async (value: string) => {
        await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
        await admin.query('SELECT pg_reload_conf(), pg_sleep(0.5)')
      }
      await setReadOnly('on')
      try {
        const refused = await write()
        assert.equal(refused.status, 503)
        assert.match(refused.body.message, /takes no writes now/)
        assert.equal((await read()).status, 200)
      } finally {
        await admin.query('SET default_transaction_read_only = off')
        await setReadOnly('off')
      }
      assert.equal((await write()).status, 201)
    })

    test('is answered 503 when its tables are locked, instead of waiting for ever', async () => {
      const locker = new pg.Client(postgres.url)
      await locker.connect()
      await locker.query('BEGIN; LOCK TABLE refusing_default.documents IN ACCESS EXCLUSIVE MODE')
      const started = performance.now()
      const answers = await Promise.all([read(), write()])
      await locker.end()
      for (const { status, body } of answers) {
        assert.equal(status, 503)
        assert.match(body.message, /locked/)
      }
      assert.ok(performance.now() - started < 40_000)
      assert.equal((await write()).status, 201)
    })

    test('is answered 503 when its schema is gone, and goes on when it is back', async () => {
      await admin.query('ALTER SCHEMA refusing_default RENAME TO elsewhere')
      try {
        for (const { status, body } of [await read(), await write()]) {
          assert.equal(status, 503)
          assert.match(body.message, /table is missing|schema is missing/)
        }
        const health = await fetch(new URL('runningstatus', program.url))
        assert.equal(health.status, 500)
      } finally {
        await admin.query('ALTER SCHEMA elsewhere RENAME TO refusing_default')
      }
      assert.equal((await read()).status, 200)
      assert.equal((await write()).status, 201)
    })
  })
})

describe('a damaged embedded database', () => {
  const damages: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
    'that is no database at all': [Buffer.from('these are my shopping lists '.repeat(500)), /default\.sqlite .*is no database/],
    'of which only the head is left': [
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(100, 255), Buffer.alloc(8_000, 7)]),
      /default\.sqlite .*(damaged|no database)/,
    ],
  }
  for (const [damage, [bytes, expected]] of Object.entries(damages)) {
    test(`${damage} is told in one sentence at a start`, async () => {
      const { folder } = await freshPlace('sqlite')
      await writeFile(join(folder, 'default.sqlite'), bytes)
      const { code, complained } = await runProgram(quireProgram, ['serve', '--port', '0', '--data', folder])
      assert.notEqual(code, 0)
      assertSentence(complained, expected)
    })
  }
})
