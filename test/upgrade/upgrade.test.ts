import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { latestVersion } from '../../src/store/sql/migrations.ts'
import { startTestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { callApi } from '../support/call-api.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, type EngineName, engines } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { withSlowPasswords } from '../support/quick-passwords.ts'
import { requireStatus } from '../support/workbench.ts'
import { type KeptContent, readContent, signedInAs } from './kept-content.ts'
import { bringTables } from './kept-postgres.ts'

const kept = join(import.meta.dirname, 'kept')

async function bring(version: string, engine: EngineName): Promise<DatabasePlace> {
  const [from, place] = [join(kept, version), await freshPlace(engine)]
  await cp(join(from, `blobs-of-${engine}`), join(place.folder, 'blobs'), { recursive: true })
  if (engine === 'sqlite') {
    const database = gunzipSync(await readFile(join(from, 'default.sqlite.gz')))
    await writeFile(join(place.folder, 'default.sqlite'), database, { mode: 0o600 })
  } else {
    const { databaseUrl = '', databaseSchema } = place.settings
    await bringTables(databaseUrl, `${databaseSchema}_default`, join(from, 'postgres.json.gz'))
  }
  return place
}

async function findVersion(place: DatabasePlace): Promise<number> {
  const [row] = await place.query('SELECT max(version) AS version FROM schema_version')
  return Number(row?.['version'])
}

for (const version of readdirSync(kept))
  for (const engine of engines) {
    describe(`data that ${version} has written (${engine})`, () => {
      test('is there as it was, is found, and goes on', () =>
        withSlowPasswords(async () => {
          const place = await bring(version, engine)
          const before = await findVersion(place)
          const { run } = commandLineAt(place)
          const planned = await run(['upgrade', '--dry-run', '--json'])
          assert.equal(planned.code, 0, planned.complained)
          const { steps, done } = JSON.parse(planned.printed)
          assert.deepEqual([done, await findVersion(place)], [false, before])
          assert.deepEqual(
            steps.default.find(({ tables }: { tables: string }) => tables === 'quire'),
            before < latestVersion ? { tables: 'quire', from: before, to: latestVersion } : undefined,
          )
          const server = await startTestServer({ settings: place.settings })
          try {
            await untilIdle(server)
            const expected: KeptContent = JSON.parse(readFileSync(join(kept, version, `content-on-${engine}.json`), 'utf8'))
            assert.deepEqual(await readContent(server.url), expected)
            const admin = server.as('Administrator')
            const query = encodeURIComponent("SELECT * FROM Document WHERE ecm:fulltext = 'Ludwig' AND ecm:isVersion = 0")
            const found = requireStatus(200, await admin.get(`/search/lang/NXQL/execute?query=${query}`)).entries
            assert.deepEqual(
              found.map(({ path }: { path: string }) => path),
              ['/default-domain/workspaces/shelf/letter'],
            )
            const draft = { 'entity-type': 'document', type: 'File', name: 'new', properties: { 'dc:title': 'new' } }
            for (const user of expected.users) {
              const { status } = await callApi(
                server.url,
                'POST',
                '/path/default-domain/workspaces/shelf',
                draft,
                signedInAs(user),
              )
              assert.equal(status, 201)
            }
            assert.equal(await findVersion(place), latestVersion)
          } finally {
            await server.stop()
          }
          assert.match((await run(['upgrade'])).printed, /^All tables are what this program works with/)
        }))
    })
  }

for (const engine of engines) {
  describe(`quire upgrade (${engine})`, () => {
    test('does what a start would, and an older program is then refused with a sentence', async () => {
      const place = await bring(readdirSync(kept).sort()[0] ?? '', engine)
      const { run } = commandLineAt(place)
      const { code, printed, complained } = await run(['upgrade', '--log-level', 'silent'])
      assert.equal(code, 0, complained)
      assert.match(
        printed,
        new RegExp(`^default: tables of quire from version \\d+ to ${latestVersion}\n[^]*All of it was done\\.$`),
      )
      assert.equal(await findVersion(place), latestVersion)
      await place.query(`INSERT INTO schema_version (version) VALUES (${latestVersion + 1})`)
      for (const command of [['upgrade'], ['upgrade', '--dry-run'], ['backup', place.folder]]) {
        const refused = await run(command)
        assert.equal(refused.code, 1)
        assert.match(refused.complained, /knows versions up to .* Start a newer program, or restore a backup from before/)
      }
    })

    test('is refused on the database of another program, which stays as it is', async () => {
      const place = await freshPlace(engine)
      const { databaseSchema } = place.settings
      if (engine === 'postgres') await place.query(`CREATE SCHEMA ${databaseSchema}_default`)
      const type = engine === 'postgres' ? 'timestamptz' : 'BLOB'
      for (const table of [`accounts (name TEXT PRIMARY KEY, since ${type})`, `schema_version (version TEXT, since ${type})`]) {
        await place.query(`CREATE TABLE ${table}`)
        for (const command of [['upgrade'], ['upgrade', '--dry-run']]) {
          const { code, complained } = await commandLineAt(place).run(command)
          assert.equal(code, 1)
          assert.match(
            complained,
            /^quire: The database in .+ is that of another program: .* Name the place where the data is\.$/,
          )
        }
      }
    })

    test('is refused where no server has been', async () => {
      const { code, complained } = await commandLineAt(await freshPlace(engine)).run(['upgrade', '--dry-run'])
      assert.equal(code, 1)
      assert.match(complained, /^quire: No server has made a database/)
    })
  })
}
