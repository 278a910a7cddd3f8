import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createRandom } from '../../faults/kill/random.ts'
import type { EngineName } from '../../support/database-place.ts'
import { filledPlace, freshPlace } from '../../support/fresh-place.ts'
import { startServerProgram, stopProgram } from '../../support/server-programs.ts'
import { createHistory, prepareWriters, writeAll } from './history.ts'
import { type BackupTimes, findLapses } from './restored-state.ts'
import { countFiles, killBackup, restore, takeBackup } from './take-backup.ts'

/** Backs a server up three times while it is written to, with one that is killed in between, and looks at what each is restored to. */
export async function backUpUnderWriters(t: TestContext, engine: EngineName): Promise<void> {
  const place = await filledPlace(engine)
  const folder = join(place.folder, 'backups')
  const history = createHistory(2)
  const program = await startServerProgram(place)
  t.after(() => program.kill('SIGKILL'))
  await prepareWriters(program.url, history)
  let isOver = false
  const writing = writeAll(program.url, history, createRandom(5), () => isOver)
  const made: { backup: string; times: BackupTimes }[] = []
  let killed: string | undefined
  try {
    for (let stored = 0; made.length < 3; ) {
      const begun = history.now()
      const { backup, files } = await takeBackup(place, folder)
      made.push({ backup, times: { begun, ended: history.now() } })
      const now = await countFiles(folder)
      assert.equal(files.copied, now - stored, 'only files that were not there are copied')
      assert.ok(files.copied > 0)
      for (let tries = 0; made.length === 2 && killed === undefined && tries < 5; tries++)
        killed = await killBackup(place, folder)
      stored = await countFiles(folder)
    }
  } finally {
    isOver = true
  }
  await writing
  assert.equal(await stopProgram(program), 0)
  for (const { answered } of history.writers) assert.ok(answered.length >= 3, 'writers came through meanwhile')
  assert.ok(killed, 'one was killed before it was done')
  const refused = await restore(await freshPlace('sqlite'), killed)
  assert.equal(refused.code, 1)
  assert.match(refused.complained, /was not finished, and nothing was restored/)
  for (const { backup, times } of made) {
    const target = await freshPlace(engine)
    const { code, complained, printed } = await restore(target, backup)
    assert.equal(code, 0, complained || printed)
    assert.deepEqual(await findLapses(target, history, times), [])
  }
}
