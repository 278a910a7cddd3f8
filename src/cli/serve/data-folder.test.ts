import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { dataFolderUnusable, prepareDataFolder } from './data-folder.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-data-'))
})
after(() => rm(folder, { recursive: true }))

describe('the data folder', () => {
  test('is made for this user alone, with those above it', async () => {
    const path = join(folder, 'deep', 'data')
    await prepareDataFolder(path, silentLog)
    assert.equal((await stat(path)).mode & 0o777, 0o700)
  })

  test('is left as it is when it is there, with a warning when others may look into it', async () => {
    for (const [mode, warnings] of [
      [0o700, 0],
      [0o750, 1],
      [0o755, 1],
    ] as const) {
      await chmod(folder, mode)
      const said: object[] = []
      await prepareDataFolder(folder, { ...silentLog, warn: (fields) => said.push(fields) })
      assert.equal((await stat(folder)).mode & 0o777, mode)
      assert.equal(said.length, warnings, `${mode.toString(8)}: ${JSON.stringify(said)}`)
    }
  })

  test('that cannot be written to is refused with its path', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'below')]) {
      await assert.rejects(
        prepareDataFolder(path, silentLog),
        (error: Error) => dataFolderUnusable.is(error) && error.message.includes(path) && error.message.includes('--data'),
      )
    }
  })
})
