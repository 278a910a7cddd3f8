import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { backupRunning, lockBackups } from './backup-lock.ts'

describe('a folder of backups', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-lock-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const held = (holder: object) => writeFile(join(folder, 'lock'), JSON.stringify(holder))

  test('is one process’s at a time, and free again when that has ended', async () => {
    const unlock = await lockBackups(folder)
    await assert.rejects(lockBackups(folder), backupRunning.is)
    await unlock()
    await (await lockBackups(folder))()
    assert.deepEqual(await readdir(folder), [], 'nothing is left behind')
  })

  test('says whose it is from the first moment, as a process may be killed in the next one', async () => {
    const path = join(folder, 'lock')
    for (let round = 0; round < 20; round++) {
      const locking = lockBackups(folder)
      while (!existsSync(path)) await setImmediate()
      assert.equal(JSON.parse(readFileSync(path, 'utf8')).process, process.pid)
      await (await locking)()
    }
  })

  test('is free at once when its process was killed on this machine', async () => {
    const { pid } = spawnSync('true')
    await held({ host: hostname(), process: pid })
    await (await lockBackups(folder))()
  })

  test('is another machine’s until that has been silent for two minutes', async () => {
    await held({ host: 'elsewhere', process: process.pid })
    await assert.rejects(lockBackups(folder), /on elsewhere is making a backup/)
    const [now, path] = [Date.now() / 1_000, join(folder, 'lock')]
    await utimes(path, now - 100, now - 100)
    await assert.rejects(lockBackups(folder), backupRunning.is)
    await utimes(path, now - 130, now - 130)
    await (await lockBackups(folder))()
  })

  test('loses what a process left that was killed while it asked for it, and keeps what one asks with now', async () => {
    const [old, young] = ['lock-old', 'lock-young'].map((name) => join(folder, name)) as [string, string]
    await Promise.all([old, young].map((file) => writeFile(file, '')))
    const before = Date.now() / 1_000 - 130
    await utimes(old, before, before)
    await (await lockBackups(folder))()
    assert.deepEqual(await readdir(folder), ['lock-young'])
    await rm(young)
  })

  test('is none where a file is, which is told', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await assert.rejects(
      lockBackups(file),
      /^backupFolderUnusable: Backups cannot be made in .*: it is a file\. Name another folder\.$/,
    )
    await assert.rejects(lockBackups(join(file, 'below')), /it is in a file/)
    await rm(file)
  })

  test('is one’s alone when several find that another was killed', async () => {
    await held({ host: hostname(), process: spawnSync('true').pid })
    const found = await Promise.allSettled(Array.from({ length: 8 }, () => lockBackups(folder)))
    assert.equal(found.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of found) if (one.status === 'fulfilled') await one.value()
  })
})
