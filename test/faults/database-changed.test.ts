import assert from 'node:assert/strict'
import { chmod, copyFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Called, callApi } from '../support/call-api.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { createLedger, type Ledger, settleLedger } from './one-tree/ledger.ts'

const workspaces = '/path/default-domain/workspaces'
const noticeMilliseconds = 10_000

async function onServer(place: DatabasePlace, work: (program: Program) => Promise<void>): Promise<void> {
  const program = await startServerProgram(place, ['--healthcheck-refresh-interval-seconds', '300'])
  try {
    await work(program)
  } finally {
    await stopProgram(program)
  }
}

let written = 0
async function create({ url }: Program, ledger: Ledger): Promise<Called> {
  const title = `document ${++written}`
  const body = { 'entity-type': 'document', type: 'File', name: title, properties: { 'dc:title': title } }
  const answer = await callApi(url, 'POST', workspaces, body)
  if (answer.status === 201) ledger.titles.set(answer.body.uid, title)
  return answer
}

async function untilStatus<Answer extends Pick<Called, 'status'>>(status: number, call: () => Promise<Answer>): Promise<Answer> {
  for (const started = performance.now(); performance.now() - started < noticeMilliseconds; await pause(100)) {
    const answer = await call()
    if (answer.status === status) return answer
  }
  return assert.fail(`nothing was answered ${status} within ${noticeMilliseconds} ms`)
}

async function healthOf({ url }: Program): Promise<{ readonly status: number; readonly reason: string | undefined }> {
  const response = await fetch(new URL('runningstatus', url))
  const { reasons } = (await response.json()) as { reasons?: { repositoryStatus?: string } }
  return { status: response.status, reason: reasons?.repositoryStatus }
}

for (const engine of engines) {
  describe(`tables that a newer program has changed under a running server on ${engine}`, () => {
    test('are noticed within seconds: writes are refused, reads go on, and the health says why', async () => {
      const place = await freshPlace(engine)
      const ledger = createLedger()
      await onServer(place, async (program) => {
        assert.equal((await create(program, ledger)).status, 201)
        await place.query('INSERT INTO schema_version (version) VALUES (9999)')
        const refused = await untilStatus(503, () => create(program, ledger))
        assert.match(refused.body.message, /schema version 9999.*newer program/)
        assert.deepEqual(await healthOf(program), { status: 500, reason: 'databaseTooNew' })
        assert.equal((await callApi(program.url, 'GET', workspaces)).status, 200)

        await place.query('DELETE FROM schema_version WHERE version = 9999')
        await untilStatus(201, () => create(program, ledger))
        await untilStatus(200, () => healthOf(program))
      })
      assert.deepEqual(await settleLedger(ledger, place), [])
    })
  })
}

/** What an administrator may do to the file while the server runs, and how it is undone. */
const mishaps: Readonly<Record<string, (file: string) => Promise<() => Promise<void>>>> = {
  async moved(file) {
    await rename(file, `${file}.away`)
    return () => rename(`${file}.away`, file)
  },
  async 'replaced by a copy'(file) {
    await copyFile(file, `${file}.copy`)
    await rename(file, `${file}.away`)
    await rename(`${file}.copy`, file)
    return () => rename(`${file}.away`, file)
  },
  async 'robbed of its log'(file) {
    await rename(`${file}-wal`, `${file}-wal.away`)
    return () => rename(`${file}-wal.away`, `${file}-wal`)
  },
}

describe('a database file under a running server', () => {
  for (const [mishap, befall] of Object.entries(mishaps)) {
    test(`that is ${mishap}: not one more write is acknowledged, and the health says why`, async () => {
      const place = await freshPlace('sqlite')
      const ledger = createLedger()
      await onServer(place, async (program) => {
        assert.equal((await create(program, ledger)).status, 201)
        const undo = await befall(join(place.folder, 'default.sqlite'))
        const refused = await create(program, ledger)
        assert.equal(refused.status, 503)
        assert.match(refused.body.message, /was removed or replaced while the server runs on it/)
        assert.deepEqual(await healthOf(program), { status: 500, reason: 'databaseReplaced' })
        await undo()
        await untilStatus(201, () => create(program, ledger))
        await untilStatus(200, () => healthOf(program))
      })
      assert.deepEqual(await settleLedger(ledger, place), [])
    })
  }

  test('that is removed: nobody is told that something was written', async () => {
    const place = await freshPlace('sqlite')
    const ledger = createLedger()
    await onServer(place, async (program) => {
      await rm(join(place.folder, 'default.sqlite'))
      assert.equal((await create(program, ledger)).status, 503)
      await pause(2_500)
      assert.equal((await create(program, ledger)).status, 503)
      assert.equal((await healthOf(program)).reason, 'databaseReplaced')
    })
    assert.equal(ledger.titles.size, 0)
  })

  test('is for its owner alone, with the log beside it, whatever it was before', async () => {
    const place = await freshPlace('sqlite')
    const names = ['default.sqlite', 'default.sqlite-wal', 'default.sqlite-shm']
    const modes = () => Promise.all(names.map(async (name) => ((await stat(join(place.folder, name))).mode & 0o777).toString(8)))
    const isPrivate = () => onServer(place, async () => assert.deepEqual(await modes(), ['600', '600', '600']))
    await isPrivate()
    await chmod(join(place.folder, 'default.sqlite'), 0o644)
    await isPrivate()
  })
})
