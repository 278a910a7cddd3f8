import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { maxFileNameBytes, shortFileName } from './short-file-name.ts'

describe('the name of a file', () => {
  test('stays as it is up to 255 bytes, folders and all', () => {
    for (const name of ['', 'plan.txt', 'a/b\\c.txt', 'x'.repeat(255), `${'漢'.repeat(83)}.txt`]) {
      assert.equal(shortFileName(name), name)
    }
  })

  test('is cut before its extension', () => {
    assert.equal(shortFileName(`${'x'.repeat(300)}.txt`), `${'x'.repeat(251)}.txt`)
    assert.equal(shortFileName(`${'漢'.repeat(100)}.html`), `${'漢'.repeat(83)}.html`)
    assert.equal(shortFileName(`a.${'x'.repeat(300)}`), `a.${'x'.repeat(253)}`)
  })

  test('loses its folders first', () => {
    assert.equal(shortFileName(`${'folder/'.repeat(100)}plan.txt`), 'plan.txt')
    assert.equal(shortFileName(`C:\\${'y'.repeat(300)}\\${'x'.repeat(300)}.txt`), `${'x'.repeat(251)}.txt`)
  })

  test('is short, no half character, and the same when shortened again, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000, size: 'max' }), (name) => {
        const short = shortFileName(name)
        assert.ok(Buffer.byteLength(short) <= maxFileNameBytes)
        assert.ok(!name.isWellFormed() || short.isWellFormed())
        assert.equal(shortFileName(short), short)
      }),
    )
  })
})
