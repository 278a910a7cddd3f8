import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../../../base/problem.ts'
import { explainReading, explainWriting } from './file-problems.ts'

const kindOf = (error: unknown) => (error instanceof Problem ? error.kind : 'passed on')
const failing = (code: string) => Object.assign(new Error(code), { code })

describe('what the system says of files', () => {
  const rows: readonly (readonly [code: string, writing: string, reading: string])[] = [
    ['ENOSPC', 'noSpace', 'passed on'],
    ['EDQUOT', 'noSpace', 'passed on'],
    ['EROFS', 'noSpace', 'unavailable'],
    ['EACCES', 'noSpace', 'unavailable'],
    ['EPERM', 'noSpace', 'unavailable'],
    ['EMFILE', 'unavailable', 'unavailable'],
    ['ENFILE', 'unavailable', 'unavailable'],
    ['EIO', 'unavailable', 'unavailable'],
    ['ESTALE', 'unavailable', 'unavailable'],
    ['EINVAL', 'passed on', 'passed on'],
  ]
  for (const [code, writing, reading] of rows) {
    test(`${code} is ${writing} to a writer, and ${reading} to a reader`, () => {
      assert.deepEqual([kindOf(explainWriting(failing(code))), kindOf(explainReading(failing(code)))], [writing, reading])
    })
  }

  test('is kept as the cause, and what is no error of the system is left alone', () => {
    const full = failing('ENOSPC')
    assert.equal((explainWriting(full) as Error).cause, full)
    assert.equal(explainWriting('text'), 'text')
  })
})
