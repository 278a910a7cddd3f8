import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { commandLineAt } from '../support/command-line.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { quireProgram } from '../support/quire-program.ts'

describe('quire backup', () => {
  test('is refused with a sentence where no folder can be made', { skip: !existsSync('/proc/self') }, async () => {
    const { code, complained } = await commandLineAt(await filledPlace('sqlite')).run(['backup', '/proc/backups'])
    assert.equal(code, 1)
    assert.match(complained, /^quire: Backups cannot be made in \/proc\/backups: .*\. Name another folder\.$/)
  })

  test('ends when the process is gone that started it, and the next one finds nothing in its way', async () => {
    const place = await filledPlace('sqlite')
    const folder = join(place.folder, 'backups')
    const child = spawn(process.execPath, [quireProgram, 'backup', folder, ...place.flags], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const ended = once(child, 'exit')
    // Which is what a process does that is killed.
    child.disconnect()
    assert.deepEqual(await ended, [1, null])
    assert.deepEqual(
      (await readdir(folder).catch(() => [])).filter((name) => /^\d{4}-/.test(name)),
      [],
    )
    const { backup } = await commandLineAt(place).json(['backup', folder])
    assert.ok(existsSync(backup))
  })
})
