import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { startTestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import type { DatabasePlace } from '../support/database-place.ts'
import { filledPlace, freshPlace } from '../support/fresh-place.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { configure, filledServer, shelvesPlugin } from './moved-content.ts'

const repositories = ['default', 'archive']

/** Settings of a place as those of the target. */
function asTarget({ flags }: DatabasePlace, blobs?: string): string[] {
  const prefixed = flags.map((flag) => flag.replace(/^--/, '--to-'))
  return [...prefixed, ...(blobs === undefined ? [] : ['--to-blobs', blobs])]
}

const asSource = (place: DatabasePlace, blobs?: string) => asTarget(place, blobs).map((flag) => flag.replace(/^--to-/, '--from-'))

type Facts = { readonly table: string; readonly rows: number; readonly digest?: string }

describe('quire copy', () => {
  let s3: S3Server
  let bucket: string
  let [first, second, third]: DatabasePlace[] = []
  const variablesBefore = { ...process.env }
  before(async () => {
    s3 = await startS3Server()
    bucket = `s3://files/moved?endpoint=${s3.url}&region=us-east-1`
    Object.assign(process.env, s3.variables)
    first = await filledPlace('sqlite')
    second = await freshPlace('postgres')
    third = await freshPlace('sqlite')
    const server = await filledServer(first, { repositories })
    await server.stop()
  })
  after(async () => {
    for (const name of Object.keys(s3.variables)) {
      if (variablesBefore[name] === undefined) delete process.env[name]
      else process.env[name] = variablesBefore[name]
    }
    await s3.stop()
  })

  async function copy(from: string[], to: string[], more: string[] = []) {
    const place = first as DatabasePlace
    const config = await configure(place)
    const own = ['--config', config, '--repositories', repositories.join(','), ...more]
    return commandLineAt({ ...place, flags: [] }).run(['copy', '--json', '--log-level', 'silent', ...own, ...from, ...to])
  }

  test('brings everything from SQLite and files to PostgreSQL and S3, where a server goes on with it', async () => {
    const { code, printed, complained } = await copy(asSource(first as DatabasePlace), asTarget(second as DatabasePlace, bucket))
    assert.equal(code, 0, complained)
    const result = JSON.parse(printed)
    assert.deepEqual(Object.keys(result.repositories), repositories)
    const tables: Facts[] = result.repositories.default
    const rowsOf = (name: string) => tables.find(({ table }) => table === name)?.rows
    assert.deepEqual(
      [rowsOf('shelves_boards'), rowsOf('shelves_names'), rowsOf('shelves_log')],
      [2, 4, 3],
      'a table that nobody listed',
    )
    assert.ok(tables.every(({ digest }) => digest !== undefined))
    assert.ok((rowsOf('documents') ?? 0) > 15 && (rowsOf('audit_entries') ?? 0) > 15, JSON.stringify(tables))
    assert.deepEqual([result.isComplete, result.missing], [true, []])
    assert.ok(result.files.copied >= 24)
    const settings = { ...(second as DatabasePlace).settings, blobs: bucket, repositories }
    const server = await startTestServer({ settings, plugins: [shelvesPlugin] })
    try {
      const admin = server.as('Administrator')
      const shelf = '/repo/archive/path/default-domain/workspaces/shelf'
      assert.equal((await admin.get(`${shelf}/volume-3/@blob/file:content`)).text, 'file 3 of archive')
      const query = encodeURIComponent(
        "SELECT * FROM Document WHERE ecm:fulltext = 'volume' AND ecm:isVersion = 0 AND dc:title ILIKE '%ünï%'",
      )
      assert.equal((await admin.get(`/repo/archive/search/lang/NXQL/execute?query=${query}`)).body.resultsCount, 11)
      const made = await admin.post(shelf, { 'entity-type': 'document', type: 'Note', name: 'new', properties: {} })
      assert.equal(made.status, 201, made.text)
      await server.asSystem(async ({ tx }) => {
        await tx.tables.run(sql`INSERT INTO shelves_boards (label, height, is_free) VALUES ('new', 1, 0)`)
        const row = await tx.tables.get(sql`SELECT number FROM shelves_boards WHERE label = 'new'`)
        assert.ok(Number(row?.[0]) >= 3, 'numbers go on')
        await tx.tables.run(sql`DELETE FROM shelves_boards WHERE label = 'new'`)
      })
    } finally {
      await server.stop()
    }
  })

  test('refuses a target that a server has gone on with, and says what to do', async () => {
    const { code, complained } = await copy(asSource(first as DatabasePlace), asTarget(second as DatabasePlace, bucket))
    assert.equal(code, 1)
    assert.match(
      complained,
      /^quire: There is data in .*_default of .* that is not an earlier part of this copy\. Nothing was changed\./,
    )
    assert.doesNotMatch(complained, /:\/\/[^/]*:[^/]*@/)
  })

  test('brings all back from PostgreSQL and S3 to SQLite and files, row by row what it was', async () => {
    const back = asTarget(third as DatabasePlace)
    const { code, complained } = await copy(asSource(second as DatabasePlace, bucket), back)
    assert.equal(code, 0, complained)
    const again = await copy(asSource(second as DatabasePlace, bucket), back)
    const { added, removed, rounds, files } = JSON.parse(again.printed)
    assert.deepEqual([added, removed, rounds, files.copied], [0, 0, 1, 0], 'the same command finds nothing to do')
    assert.equal((await stat(join((third as DatabasePlace).folder, 'default.sqlite'))).mode & 0o77, 0)
  })

  test('brings over what has changed since, names that were swapped included', async () => {
    const [from, to] = [await filledPlace('sqlite'), await freshPlace('postgres')]
    const server = await filledServer(from, { repositories: ['default'] })
    try {
      const copied = async (expected: number) => {
        const config = await configure(from)
        const { code, printed, complained } = await commandLineAt(from).run([
          'copy',
          '--json',
          '--config',
          config,
          ...asTarget(to),
        ])
        assert.equal(code, expected, complained)
        return JSON.parse(printed)
      }
      assert.equal((await copied(0)).isComplete, true, 'while the source is served')
      const admin = server.as('Administrator')
      const at = '/path/default-domain/workspaces/shelf'
      for (const [name, target] of [
        ['volume-1', 'x'],
        ['volume-2', 'volume-1'],
        ['x', 'volume-2'],
      ] as const) {
        const { status, text } = await admin.post('/automation/Document.Move', {
          input: `/default-domain/workspaces/shelf/${name}`,
          params: { target: '/default-domain/workspaces/shelf', name: target },
        })
        assert.equal(status, 200, text)
      }
      await admin.put(`${at}/volume-4`, { 'entity-type': 'document', properties: { 'dc:title': 'Another title' } })
      const { isComplete, added, removed } = await copied(0)
      assert.ok(isComplete && added > 3 && removed >= 3, JSON.stringify({ isComplete, added, removed }))
      const rows = await to.query(
        `SELECT name FROM documents WHERE properties ->> 'dc:title' LIKE 'Volume 2 %' AND is_version = 0`,
      )
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['volume-1'],
      )
    } finally {
      await server.stop()
    }
  })
})

describe('quire copy refuses', () => {
  test('to begin without a target', async () => {
    const { code, complained } = await commandLineAt(await filledPlace('sqlite')).run(['copy'])
    assert.equal(code, 2)
    assert.match(complained, /--to-data or --to-database-url/)
  })

  test('a source where no server has been, and a table that the target does not know', async () => {
    const absent = await commandLineAt(await freshPlace('sqlite')).run(['copy', ...asTarget(await freshPlace('sqlite'))])
    assert.equal(absent.code, 1)
    assert.match(absent.complained, /No server has made a database/)
    const place = await filledPlace('sqlite')
    const server = await startTestServer({ settings: place.settings, plugins: [shelvesPlugin] })
    await server.stop()
    const to = await freshPlace('sqlite')
    const { code, complained } = await commandLineAt(place).run(['copy', ...asTarget(to)])
    assert.equal(code, 1)
    assert.match(
      complained,
      /The table shelves_boards cannot be copied: .*list it, or leave the table behind with --leave-out shelves_boards/,
    )
    const unfinished = await commandLineAt(to).run(['gc'])
    assert.match(unfinished.complained, /copy that was not finished/)
    const left = ['--leave-out', 'shelves_boards,shelves_names,shelves_log']
    const finished = await commandLineAt(place).run(['copy', ...left, ...asTarget(to)])
    assert.equal(finished.code, 0, finished.complained + finished.printed)
  })
})
