import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { isBundleCurrent, runsBundle } from '../../bin/bundle-current.js'

const builtAt = new Date('2020-01-02T00:00:00Z')
const before = new Date('2020-01-01T00:00:00Z')
const after = new Date('2020-01-03T00:00:00Z')

/** Which hears this from the process that started it. */
const aProcess = (pid: number, ppid: number, env: NodeJS.ProcessEnv, heard = '') => {
  const process = Object.assign(new EventEmitter(), { pid, ppid, env })
  setImmediate(() => process.emit('message', { word: heard }))
  return process as unknown as NodeJS.Process
}

describe('the bundle of a checkout', () => {
  let root = ''

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'quire-bundle-'))
    for (const file of ['src/main.ts', 'src/core/session.ts', 'package.json']) await write(file, before)
    await write('dist/quire.js', builtAt)
    for (const folder of ['src', 'src/core']) await utimes(join(root, folder), before, before)
  })

  afterEach(() => rm(root, { recursive: true }))

  async function write(file: string, changed: Date) {
    const path = join(root, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, '')
    await utimes(path, changed, changed)
  }

  test('is current while all sources are older', () => {
    assert.equal(isBundleCurrent(root), true)
  })

  for (const file of ['src/core/session.ts', 'package.json']) {
    test(`is not current once ${file} was changed`, async () => {
      await write(file, after)
      assert.equal(isBundleCurrent(root), false)
    })
  }

  test('is current though a unit test was changed', async () => {
    await write('src/core/session.test.ts', after)
    await utimes(join(root, 'src/core'), before, before)
    assert.equal(isBundleCurrent(root), true)
  })

  test('is not current once a source was removed', async () => {
    await rm(join(root, 'src/core/session.ts'))
    assert.equal(isBundleCurrent(root), false)
  })

  test('is not current where there is none', async () => {
    await rm(join(root, 'dist'), { recursive: true })
    assert.equal(isBundleCurrent(root), false)
  })

  test('is current where there are no sources, as in an installed package', async () => {
    await rm(join(root, 'src'), { recursive: true })
    assert.equal(isBundleCurrent(root), true)
  })

  test('is run by workers as long as the process does that has started them', async () => {
    const env: NodeJS.ProcessEnv = {}
    const workerEnv = () => ({ ...env })
    assert.equal(await runsBundle(root, aProcess(10, 1, env)), true)
    await write('src/core/session.ts', after)
    assert.equal(await runsBundle(root, aProcess(11, 10, workerEnv())), true)
    assert.equal(await runsBundle(root, aProcess(12, 2, workerEnv())), false, 'not by the child of another process')
    await rm(join(root, 'dist'), { recursive: true })
    assert.equal(await runsBundle(root, aProcess(13, 10, workerEnv())), false, 'not when it is gone')
  })

  test('is not run by workers of a process that does not', async () => {
    const env: NodeJS.ProcessEnv = {}
    await write('src/core/session.ts', after)
    assert.equal(await runsBundle(root, aProcess(10, 1, env)), false)
    await write('src/core/session.ts', before)
    assert.equal(await runsBundle(root, aProcess(11, 10, env)), false)
  })

  test('is run by a worker that was forked ahead once it is told so', async () => {
    const env = () => ({ BUNDLED_QUIRE: '10 later' })
    assert.equal(await runsBundle(root, aProcess(11, 10, env(), '10 yes')), true)
    assert.equal(await runsBundle(root, aProcess(11, 10, env(), '10 no')), false)
    await write('src/core/session.ts', after)
    assert.equal(await runsBundle(root, aProcess(11, 10, env(), '9 yes')), false, 'not by the word of another process')
    assert.equal(await runsBundle(root, aProcess(12, 11, env())), false, 'the child of a worker waits for nothing')
  })
})
