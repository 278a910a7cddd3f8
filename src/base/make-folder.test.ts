import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeFolder } from './make-folder.ts'

describe('a folder that is made', () => {
  let top = ''
  before(async () => {
    top = await mkdtemp(join(tmpdir(), 'quire-folder-'))
  })
  after(() => rm(top, { recursive: true }))

  test('is there with all that it is in, for its owner alone, and stays when it is wanted again', async () => {
    const path = join(top, 'a/b/c')
    await Promise.all([makeFolder(path), makeFolder(path)])
    await makeFolder(path)
    assert.equal((await stat(path)).mode & 0o777, 0o700)
  })

  test('is refused where a file is in the way', async () => {
    await writeFile(join(top, 'file'), '')
    await assert.rejects(makeFolder(join(top, 'file')), { code: 'EEXIST' })
    await assert.rejects(makeFolder(join(top, 'file/inside')), { code: 'ENOTDIR' })
  })

  test('is refused where the system makes none', { skip: !existsSync('/proc/self') }, async () => {
    await assert.rejects(makeFolder('/proc/nothing/of/ours'), { code: 'ENOENT' })
  })
})
