import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { databaseLost, filesLost, filesOfAnotherDatabase } from '../../src/core/blob-owner/plan-ownership.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { bucketPlace, useS3Server } from '../support/blob-places.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { ageAll, listKeys, onEachFileServer } from '../support/file-servers.ts'
import { download } from '../support/files.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { runProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'

type Settings = { readonly [name: string]: unknown }

/** Creates documents with files, and gives what was acknowledged: bytes by document. */
async function createFiles(server: TestServer, count: number, repository = 'default'): Promise<Map<string, string>> {
  const ledger = new Map<string, string>()
  for (let index = 0; index < count; index++) {
    const content = `content ${repository} ${index}`
    const file = { data: content, name: 'a.txt', 'mime-type': 'text/plain' }
    const sent = { 'entity-type': 'document', type: 'File', name: `f${index}`, properties: { 'file:content': file } }
    const { status, body, text } = await server
      .as('Administrator')
      .post(`/repo/${repository}/path/default-domain/workspaces`, sent)
    assert.equal(status, 201, text)
    ledger.set(body.uid, content)
  }
  return ledger
}

async function requireAll(server: TestServer, ledger: ReadonlyMap<string, string>, repository = 'default'): Promise<void> {
  for (const [uid, content] of ledger) {
    assert.equal((await download(server, `nxfile/${repository}/${uid}/file:content`)).text, content)
  }
}

for (const engine of engines) {
  describe(`files and their database (${engine})`, () => {
    const folders: string[] = []
    after(async () => {
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    })
    async function aFolder(): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'quire-owned-'))
      folders.push(folder)
      return folder
    }
    /** What a start ends with that must not work. */
    async function refusal(place: DatabasePlace, settings: Settings): Promise<Error> {
      try {
        const server = await startTestServer({ settings: { ...place.settings, ...settings } })
        await server.stop()
      } catch (error) {
        return error as Error
      }
      throw new Error('it started')
    }
    async function started(place: DatabasePlace, settings: Settings, count = 3) {
      const server = await startTestServer({ settings: { ...place.settings, ...settings } })
      const ledger = await createFiles(server, count)
      await server.stop()
      return ledger
    }

    test('a start that finds files and no database says so and stops, however often, and leaves all files', async () => {
      const blobs = await aFolder()
      const place = await freshPlace(engine)
      const ledger = await started(place, { blobs })
      const another = await freshPlace(engine)
      for (let times = 0; times < 2; times++) {
        const error = await refusal(another, { blobs })
        assert.ok(databaseLost.is(error), String(error))
        assert.match(error.message, /database of the repository default.*missing or empty.*--adopt-files/)
      }
      if (engine === 'sqlite') assert.deepEqual(await readdir(another.folder), [], 'no database was made')
      const server = await startTestServer({ settings: { ...place.settings, blobs } })
      await requireAll(server, ledger)
      await server.stop()
    })

    test('files that an earlier program left without an owner are as safe, and get one when their database is there', async () => {
      const blobs = await aFolder()
      const place = await freshPlace(engine)
      const ledger = await started(place, { blobs })
      await rm(join(blobs, 'owner'))
      await place.query("DELETE FROM transient_values WHERE key = 'files/owner'")
      assert.ok(databaseLost.is(await refusal(await freshPlace(engine), { blobs })))
      const server = await startTestServer({ settings: { ...place.settings, blobs } })
      await requireAll(server, ledger)
      await server.stop()
      assert.ok((await readdir(blobs)).includes('owner'))
      assert.ok(databaseLost.is(await refusal(await freshPlace(engine), { blobs })))
    })

    test('the files of another database are refused to servers and commands, and adopted once that is meant', async () => {
      const [blobs, others] = [await aFolder(), await aFolder()]
      const [place, another] = [await freshPlace(engine), await freshPlace(engine)]
      const ledger = await started(place, { blobs })
      await started(another, { blobs: others })
      assert.ok(filesOfAnotherDatabase.is(await refusal(another, { blobs })))
      const gc = await commandLineAt(another).run(['gc', '--blobs', blobs, '--blob-gc-grace', '0s'])
      assert.equal(gc.code, 1)
      assert.match(gc.complained, /belong to another database/)
      const server = await startTestServer({ settings: { ...place.settings, blobs } })
      await requireAll(server, ledger)
      await server.stop()
      const adopting = await startTestServer({ settings: { ...another.settings, blobs, adoptFiles: true } })
      await adopting.stop()
      const again = await startTestServer({ settings: { ...another.settings, blobs } })
      await again.stop()
      assert.ok(filesOfAnotherDatabase.is(await refusal(place, { blobs })), 'they belong to the other one now')
    })

    test('files that are not mounted are missed at the start', async () => {
      const blobs = await aFolder()
      const place = await freshPlace(engine)
      const ledger = await started(place, { blobs })
      const elsewhere = join(await aFolder(), 'moved')
      await rename(blobs, elsewhere)
      const error = await refusal(place, { blobs })
      assert.ok(filesLost.is(error), String(error))
      await rm(blobs, { recursive: true, force: true })
      await cp(elsewhere, blobs, { recursive: true })
      const server = await startTestServer({ settings: { ...place.settings, blobs } })
      await requireAll(server, ledger)
      await server.stop()
    })

    test('a repository whose database is gone is missed, and one that is new is not', async () => {
      const blobs = await aFolder()
      const place = await freshPlace(engine)
      const settings = { ...place.settings, blobs }
      await started(place, { blobs })
      const both = await startTestServer({ settings: { ...settings, repositories: ['default', 'archive'] } })
      const ledger = await createFiles(both, 2, 'archive')
      await both.stop()
      const again = await startTestServer({ settings: { ...settings, repositories: ['default', 'archive'] } })
      await requireAll(again, ledger, 'archive')
      await again.stop()
      if (engine === 'sqlite') await rm(join(place.folder, 'archive.sqlite'))
      else await place.query(`DROP SCHEMA ${place.settings['databaseSchema']}_archive CASCADE`)
      const error = await refusal(place, { blobs, repositories: ['default', 'archive'] })
      assert.ok(databaseLost.is(error), String(error))
      assert.match(error.message, /repository archive/)
    })

    test('several servers may be the first at the same time', async () => {
      const blobs = await aFolder()
      const place = await freshPlace(engine)
      const servers = await Promise.all(
        Array.from({ length: engine === 'sqlite' ? 2 : 4 }, () => startTestServer({ settings: { ...place.settings, blobs } })),
      )
      await Promise.all(servers.map((server) => server.stop()))
      const server = await startTestServer({ settings: { ...place.settings, blobs } })
      await server.stop()
    })
  })
}

test('quire serve ends with 1 and one line where there are files and no database', async () => {
  const [place, another] = [await freshPlace('sqlite'), await freshPlace('sqlite')]
  const server = await startTestServer({ settings: place.settings })
  await createFiles(server, 1)
  await server.stop()
  const args = ['serve', '--port', '0', ...another.flags, '--blobs', join(place.folder, 'blobs')]
  const { code, complained } = await runProgram(quireProgram, args)
  assert.equal(code, 1)
  assert.match(complained, /^quire: there are files at --blobs, and the database of the repository default [^\n]*\n$/)
})

onEachFileServer(
  'a collection',
  (started) => {
    test('that would remove more than a share of the files removes none and asks', async () => {
      const here = started()
      const administrator = here.server.as('Administrator')
      const ledger = await createFiles(here.server, 24)
      // As if the database had lost the documents that have them.
      for (let index = 0; index < 30; index++) await here.blobs.write(Buffer.from(`orphan ${index}`))
      await ageAll(here)
      const dry = await administrator.delete('/management/blobs/orphaned?dryRun=true')
      assert.deepEqual([dry.status, dry.body.numBinariesGC], [200, 30], 'counting is free')
      const refused = await administrator.delete('/management/blobs/orphaned')
      assert.equal(refused.status, 409)
      assert.match(refused.body.message, /would remove 30 of 54 files.*more than 50 %.*Nothing was removed.*--remove-anyway/)
      assert.equal((await listKeys(here.blobs)).length, 54)
      await requireAll(here.server, ledger)
      await here.server.services.repositories.get('default')?.store.transact((tx) => tx.jobs.add('collectBlobs', {}))
      await untilIdle(here.server)
      assert.equal((await listKeys(here.blobs)).length, 54, 'nor at night')
    })
  },
  { blobGcGrace: '1h' },
)

describe('a collection beside an object store whose clock is another', () => {
  const s3 = useS3Server()
  for (const hours of [-3, 3]) {
    test(`by ${hours} hours removes what is old there, and nothing that is just arriving`, async () => {
      s3().faults.clockAheadMillis = hours * 3_600_000
      const place = bucketPlace(s3(), `clock${hours}`)
      const server = await startTestServer({ settings: { blobs: place.address } })
      const blobs = await place.open()
      const [young, old] = [await blobs.write(Buffer.from('young')), await blobs.write(Buffer.from('old'))]
      await place.age(old.key, new Date(Date.now() + (hours - 2) * 3_600_000))
      const { status, text } = await server.as('Administrator').delete('/management/blobs/orphaned')
      assert.equal(status, 200, text)
      assert.deepEqual([await blobs.has(young.key), await blobs.has(old.key)], [true, false])
      await server.stop()
      delete s3().faults.clockAheadMillis
    })
  }
})
