import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { homeOf } from '../../src/core/blob-gc/known-repositories.ts'
import { startTestServer } from '../../src/testing.ts'
import { assertRefused } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { commandLineAt } from '../support/command-line.ts'
import { attach } from '../support/files.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { childrenOf } from '../support/process-family.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const backups = mkdtempSync(join(tmpdir(), 'quire-kept-'))
// How often a task asks whether it is to end, and as what is young files are left alone, whatever the grace.
const [lookMillis, youngMillis] = [1_000, 2_100]
const isBackup = (name: string) => /^\d{4}-/.test(name)

async function untilFound<Found>(find: () => Found | undefined): Promise<Found> {
  for (const giveUpAt = performance.now() + 20_000; performance.now() < giveUpAt; await pause(5)) {
    const found = find()
    if (found !== undefined) return found
  }
  throw new Error('It was not found.')
}

onEachServer(
  'what the server keeps',
  (server, engine) => {
    const bench = workbenchOn(server)
    const admin = () => server.as('Administrator')
    const taskNamed = async (name: string): Promise<Answered> =>
      requireStatus(200, await admin().get('/management/maintenance')).entries.find((one: Answered) => one.name === name)
    const runTask = async (name: string): Promise<Answered> => {
      assert.equal(requireStatus(202, await admin().post(`/management/maintenance/${name}`, {})).by, 'Administrator')
      await untilIdle(server)
      return taskNamed(name)
    }
    const orphan = 'nobody needs this'
    const texts = ['a first text', 'a second and longer text']
    let documents: readonly Answered[] = []
    let written = 0
    before(async () => {
      after(() => rm(backups, { recursive: true, force: true }))
      await server.addUser('alice', ['administrators'])
      await server.addUser('bob', ['members'])
      await homeOf(server.services.repositories).blobs.write(Buffer.from(orphan))
      written = Date.now()
      documents = [await bench.create('File'), await bench.create('File'), await bench.create('File')]
      // Two documents have the same file, which takes its bytes once.
      for (const [index, text] of [...texts, texts[1] ?? ''].entries())
        await attach(server, documents[index]?.uid, Buffer.from(text), { name: 'a.txt', 'mime-type': 'text/plain' })
      await untilIdle(server)
    })

    test('is measured when somebody asks, by type, person and month, and as the database has it', async () => {
      const first = requireStatus(200, await admin().get('/management/storage'))
      assert.deepEqual([first.measured, first.isMeasuring, first.documents], [null, true, 0])
      await untilIdle(server)
      const storage = requireStatus(200, await admin().get('/management/storage'))
      assert.equal(storage.isMeasuring, false)
      assert.ok(Date.now() - Date.parse(storage.measured) < 60_000)
      const bytes = texts.join('').length
      assert.deepEqual([storage.files, storage.bytes], [2, bytes])
      const counted = async (where: string) => {
        const query = encodeURIComponent(`SELECT * FROM Document WHERE ${where}`)
        return (await admin().get(`/search/lang/NXQL/execute?query=${query}&pageSize=1`)).body.resultsCount
      }
      const file = storage.types.find(({ name }: Answered) => name === 'File')
      assert.deepEqual(file, { name: 'File', documents: await counted("ecm:primaryType = 'File'"), files: 2, bytes })
      const person = storage.people.find(({ name }: Answered) => name === 'Administrator')
      assert.deepEqual([person.documents, person.bytes], [await counted("dc:creator = 'Administrator'"), bytes])
      const month = new Date().toISOString().slice(0, 7)
      assert.deepEqual(storage.months.find((one: Answered) => one.month === month)?.bytes, bytes)
      const sum = (list: readonly Answered[], name: string) => list.reduce((all, one) => all + one[name], 0)
      for (const name of ['documents', 'files', 'bytes'])
        for (const list of [storage.types, storage.people]) assert.equal(sum(list, name), storage[name], name)
    })

    test('is not measured again while the figures are young', async () => {
      await bench.create('File')
      const again = requireStatus(200, await admin().get('/management/storage'))
      assert.equal(again.isMeasuring, false)
    })

    test('is checked, and what is damaged is told', async () => {
      const sound = await runTask('checkFiles')
      assert.deepEqual([sound.state, sound.done, sound.total], ['done', 2, 2])
      assert.deepEqual(sound.outcome, { files: 2, bytes: texts.join('').length, flawed: 0, flaws: [] })
      const { blobs, store } = homeOf(server.services.repositories)
      const [use] = await store.reader.blobKeys.listUses(undefined, 1)
      for await (const blob of blobs.list(use?.key ?? '')) await blobs.remove(blob)
      const damaged = await runTask('checkFiles')
      assert.equal(damaged.outcome.files, 2)
      assert.ok(damaged.outcome.flawed > 0)
      assert.deepEqual([damaged.outcome.flaws[0].key, damaged.outcome.flaws[0].flaw], [use?.key, 'missing'])
    })

    test('is read anew, and what could not be read is told', async () => {
      const { state, outcome } = await runTask('reindexTexts')
      assert.equal(state, 'done')
      assert.deepEqual([outcome.read, outcome.unread, outcome.reasons], [2, 1, { 'The file is missing or damaged.': 1 }])
    })

    test('is backed up to the folder that the server was told of, and restored from there', async () => {
      const { state, outcome, problem } = await runTask('backUp')
      assert.deepEqual([state, problem], ['done', null])
      const lost = 1
      assert.deepEqual([outcome.files, outcome.copied, outcome.missing, outcome.damaged], [2, 2, lost, 0])
      assert.ok(texts.some(({ length }) => outcome.bytes === length + orphan.length))
      const target = await freshPlace(engine)
      const restored = await commandLineAt(target).run(['restore', outcome.backup, '--json'])
      assert.deepEqual(JSON.parse(restored.printed).missing.length, lost, restored.complained)
      const again = await startTestServer({ settings: target.settings })
      assert.equal((await again.as('Administrator').get(`/id/${documents[0]?.uid}`)).status, 200)
      assertRefused(await again.as('Administrator').post('/management/maintenance/backUp', {}), 409, /with --backup-folder/)
      await again.stop()
      assert.deepEqual([(await runTask('backUp')).outcome.copied, (await readdir(backups)).filter(isBackup).length], [0, 2])
    })

    test('is not backed up any more when somebody stops that, and nobody takes what there is of it for a backup', async () => {
      const countBackups = async () => (await readdir(backups)).filter(isBackup).length
      const [before, others] = [await countBackups(), new Set(childrenOf(process.pid))]
      requireStatus(202, await admin().post('/management/maintenance/backUp', {}))
      // Of so little it would be done before it hears of the stop.
      const held = await untilFound(() => childrenOf(process.pid).find((child) => !others.has(child)))
      process.kill(held, 'SIGSTOP')
      requireStatus(204, await admin().delete('/management/maintenance/backUp'))
      await pause(2 * lookMillis)
      process.kill(held, 'SIGCONT')
      await untilIdle(server)
      assert.deepEqual([(await taskNamed('backUp')).state, await countBackups()], ['stopped', before])
    })

    test('is collected, and what nobody needs is gone', async () => {
      await pause(Math.max(0, written + youngMillis - Date.now()))
      const { state, done, total, outcome } = await runTask('collectFiles')
      assert.deepEqual([state, done, total], ['done', 512, 512])
      assert.deepEqual([outcome.numBinaries, outcome.numBinariesGC, outcome.sizeBinariesGC], [1, 1, orphan.length])
    })

    test('is worked on by one at a time, and nothing is stopped that is not under way', async () => {
      assertRefused(await admin().delete('/management/maintenance/checkFiles'), 409, /not under way/)
      const [one, other] = await Promise.all([
        admin().post('/management/maintenance/checkFiles', {}),
        server.as('alice').post('/management/maintenance/checkFiles', {}),
      ])
      assert.deepEqual([one.status, other.status].sort(), [202, 409])
      await untilIdle(server)
    })

    test('is looked after by administrators alone', async () => {
      for (const path of ['maintenance', 'storage']) assert.equal((await server.as('bob').get(`/management/${path}`)).status, 403)
      assert.equal((await server.as('bob').post('/management/maintenance/checkFiles', {})).status, 403)
      assert.equal((await server.as('bob').delete('/management/maintenance/checkFiles')).status, 403)
      assertRefused(await admin().post('/management/maintenance/everything', {}), 404, /There are collectFiles, checkFiles/)
    })
  },
  { settings: { blobGcGrace: '0s', backupFolder: backups } },
)
