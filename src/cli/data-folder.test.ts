import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dataFolderUnusable, prepareDataFolder } from './data-folder.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-data-'))
})
after(() => rm(folder, { recursive: true }))

describe('the data folder', () => {
  test('is made for this user alone, with those above it', async () => {
    const path = join(folder, 'deep', 'data')
    await prepareDataFolder(path)
    assert.equal((await stat(path)).mode & 0o777, 0o700)
  })

  test('is left as it is when it is there', async () => {
    const before = await stat(folder)
    await prepareDataFolder(folder)
    assert.equal((await stat(folder)).mode, before.mode)
  })

  test('that cannot be written to is refused with its path', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'below')]) {
      await assert.rejects(
        prepareDataFolder(path),
        (error: Error) => dataFolderUnusable.is(error) && error.message.includes(path) && error.message.includes('--data'),
      )
    }
  })
})
