import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { callApi } from '../support/call-api.ts'
import { type DatabasePlace, postgresPlace } from '../support/database-place.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../support/embedded-postgres.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { listServerProcesses, signalAll } from '../support/stopped-postgres.ts'
import { createJournal } from './kill/journal.ts'
import { createRandom } from './kill/random.ts'
import { settle } from './kill/settle.ts'
import { writeUntilCutOff } from './kill/writer.ts'

const patienceMilliseconds = 30_000
const workspaces = '/path/default-domain/workspaces'

describe('a PostgreSQL that does not answer any more', { timeout: 180_000 }, () => {
  let postgres: EmbeddedPostgres
  let place: DatabasePlace
  let folder = ''
  before(async () => {
    postgres = await startEmbeddedPostgres('full')
    folder = await mkdtemp(join(tmpdir(), 'quire-silent-'))
    place = postgresPlace(folder, postgres.url, 'silent')
  })
  after(async () => {
    await place.close().catch(() => {})
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Starts writers, has the database stopped under them, and waits until each was told so. */
  async function cutOffWriters(program: Program, stop: () => Promise<void>) {
    const journal = createJournal()
    const random = createRandom(1)
    const written = Promise.all(Array.from({ length: 6 }, () => writeUntilCutOff(program.url, journal, random)))
    while (journal.acknowledged < 30) await pause(5)
    await stop()
    const stopped = performance.now()
    await Promise.race([written, pause(patienceMilliseconds).then(() => assert.fail('requests under way were never answered'))])
    assert.ok(performance.now() - stopped < patienceMilliseconds)
    return journal
  }

  async function untilAnswering(url: string): Promise<void> {
    for (const started = performance.now(); performance.now() - started < patienceMilliseconds; await pause(100)) {
      if ((await callApi(url, 'GET', workspaces)).status === 200) return
    }
    assert.fail('the server did not find its way back to its database')
  }

  test('when it is paused: requests under way and new ones end, and all goes on when it does', async () => {
    const program = await startServerProgram(place)
    let processes: readonly number[] = []
    try {
      const journal = await cutOffWriters(program, async () => {
        processes = await listServerProcesses(place)
        signalAll(processes, 'SIGSTOP')
      })
      const [read, health] = await Promise.all([
        callApi(program.url, 'GET', workspaces),
        fetch(new URL('runningstatus?info=probe&key=repositoryStatus', program.url)),
      ])
      assert.ok([503, 504].includes(read.status), `${read.status}`)
      assert.equal(health.status, 500)
      signalAll(processes, 'SIGCONT')
      await untilAnswering(program.url)
      assert.deepEqual(await settle(journal, place), [])
    } finally {
      signalAll(processes, 'SIGCONT')
      assert.equal(await stopProgram(program), 0)
    }
  })

  test('when it is gone for good: requests end, and so does the server when it is told to', async () => {
    const program = await startServerProgram(place)
    const processes = await listServerProcesses(place)
    await cutOffWriters(program, async () => signalAll(processes, 'SIGKILL'))
    const { status } = await callApi(program.url, 'GET', workspaces)
    assert.ok([503, 504].includes(status), `${status}`)
    assert.equal(await stopProgram(program), 0)
  })
})
