import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { listQuickFiles, listTestFiles, needsPostgres, needsPrograms } from './test-files.ts'

const here = (file: string) => join(import.meta.dirname, file)

test('a filter keeps the test files whose path contains it', () => {
  assert.deepEqual(listTestFiles(['support/test-files']), [here('test-files.test.ts')])
  assert.deepEqual(listTestFiles([here('test-files.test.ts')]), [here('test-files.test.ts')])
  assert.deepEqual(listTestFiles(['no such file']), [])
})

test('a quick run has the unit tests, and none that starts PostgreSQL or a program', () => {
  const files = listQuickFiles()
  assert.ok(files.length > 100)
  assert.deepEqual(
    files.filter((file) => !file.startsWith(here('../../src')) && !file.startsWith(here('../../console/src'))),
    [],
  )
  assert.deepEqual(
    files.filter((file) => /store\/postgres\/|cli\/serve\.test/.test(file)),
    [],
  )
})

test('only a file that imports the PostgreSQL support makes the run start a server', () => {
  assert.equal(needsPostgres(here('postgres.test.ts')), true)
  assert.equal(needsPostgres(here('tally.ts')), false)
})

test('only a file that starts programs makes the run bundle one', () => {
  assert.equal(needsPrograms(here('../api/command-line.test.ts')), true)
  assert.equal(needsPrograms(here('tally.ts')), false)
})
