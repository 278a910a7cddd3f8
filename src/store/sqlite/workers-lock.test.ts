import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createWorkersLock } from './workers-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-workers-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const module = join(import.meta.dirname, 'workers-lock.ts')
const program = (file: string) => `
  import { createWorkersLock } from ${JSON.stringify(module)}
  await createWorkersLock(${JSON.stringify(file)}).join(async () => {})
  console.log('joined')
  setInterval(() => {}, 1000)`

async function isAloneAt(file: string): Promise<boolean> {
  let isAlone = false
  const lock = createWorkersLock(file)
  await lock.join(async () => {
    isAlone = true
  })
  lock.leave()
  return isAlone
}

async function startWorker(file: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(file)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

describe('a process that runs jobs of an embedded database', () => {
  test('is not alone while another process does, and is once that was killed', async () => {
    const file = join(folder, 'a.sqlite')
    const other = await startWorker(file)
    assert.equal(await isAloneAt(file), false)
    const ended = once(other, 'exit')
    other.kill('SIGKILL')
    await ended
    assert.equal(await isAloneAt(file), true)
  })

  test('is not alone beside another of the same process', async () => {
    const file = join(folder, 'b.sqlite')
    const other = createWorkersLock(file)
    await other.join(async () => {})
    assert.equal(await isAloneAt(file), false)
    other.leave()
    assert.equal(await isAloneAt(file), true)
  })

  test('leaves a file that no other user may read', async () => {
    const file = join(folder, 'c.sqlite')
    await isAloneAt(file)
    assert.equal(statSync(`${file}-workers`).mode & 0o077, 0)
  })
})
