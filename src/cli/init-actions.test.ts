import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { exitCodes } from '../command/command.ts'
import { makeDeployment } from './init-actions.ts'

describe('a new deployment', () => {
  let directory = ''
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quire-init-'))
  })
  after(() => rm(directory, { recursive: true }))

  const make = (folder: string, options: { console: boolean }) =>
    makeDeployment({ directory, operands: { folder }, options, print: () => undefined })
  const list = async (folder: string) => {
    const entries = await readdir(join(directory, folder), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return files.map((file) => file.slice(join(directory, folder).length + 1)).sort()
  }
  const manifestOf = async (folder: string) => JSON.parse(await readFile(join(directory, folder, 'package.json'), 'utf8'))
  const usual = [
    '.gitignore',
    'package.json',
    'plugins/contracts.test.ts',
    'plugins/contracts.ts',
    'quire.config.ts',
    'tsconfig.json',
  ]

  test('has a plugin with its test, and nothing for the console', async () => {
    assert.equal(await make('plain', { console: false }), exitCodes.done)
    assert.deepEqual(await list('plain'), usual)
    assert.equal((await manifestOf('plain')).scripts.types, 'tsc --noEmit')
  })

  test('has, when it is asked for, one that adds to the console, which the configuration lists and the compiler looks at', async () => {
    assert.equal(await make('shown', { console: true }), exitCodes.done)
    const added = [
      'console/signing-tab.js',
      'console/tsconfig.json',
      'plugins/contracts-console.test.ts',
      'plugins/contracts-console.ts',
    ]
    assert.deepEqual(await list('shown'), [...usual, ...added].sort())
    assert.match(await readFile(join(directory, 'shown/quire.config.ts'), 'utf8'), /plugins: \[contracts, contractsConsole\]/)
    assert.equal((await manifestOf('shown')).scripts.types, 'tsc --noEmit && tsc --noEmit -p console')
  })

  test('is not made over what is there', async () => {
    await assert.rejects(make('plain', { console: true }), { code: 'fileInTheWay' })
    assert.deepEqual(await list('plain'), usual)
  })
})
