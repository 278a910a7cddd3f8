import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { isBundleCurrent } from '../../bin/bundle-current.js'

const builtAt = new Date('2020-01-02T00:00:00Z')
const before = new Date('2020-01-01T00:00:00Z')
const after = new Date('2020-01-03T00:00:00Z')

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
})
