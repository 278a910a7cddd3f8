import assert from 'node:assert/strict'
import { posix, win32 } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createEntryNames, entryPath } from './entry-names.ts'

const named = (...names: readonly (string | null)[]) => names.map(createEntryNames())
const hostile = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom('..', '.', '/', '\\', 'C:', 'a', '\0', '\n'), { maxLength: 8 }).map((parts) => parts.join('')),
)

describe('names of files in an archive', () => {
  test('are those of the files; what comes again is renamed with a number', () => {
    assert.deepEqual(named('a.txt', 'b.txt', 'a.txt', 'a.txt', 'b.txt'), [
      'a.txt',
      'b.txt',
      'renamed_1_a.txt',
      'renamed_2_a.txt',
      'renamed_3_b.txt',
    ])
  })

  test('do not collide with one that looks renamed already', () => {
    assert.deepEqual(named('renamed_1_a', 'a', 'a'), ['renamed_1_a', 'a', 'renamed_2_a'])
  })

  test('are numbers for files without any', () => {
    assert.deepEqual(named(null, '', ' ', '..'), ['Unknown_1', 'Unknown_2', 'Unknown_3', 'Unknown_4'])
  })

  test('have no folders, whichever program wrote them', () => {
    assert.deepEqual(named('../../etc/passwd', 'C:\\temp\\x.doc', 'C:boot.ini'), ['passwd', 'x.doc', 'C_boot.ini'])
  })

  test('are never the same twice and never lead elsewhere', () => {
    fc.assert(
      fc.property(fc.array(hostile), (names) => {
        const given = named(...names)
        assert.equal(new Set(given).size, names.length)
        for (const name of given) assert.ok(isInside(name), name)
      }),
    )
  })
})

describe('a path in an archive', () => {
  test('is made of names that stay what they are', () => {
    assert.equal(entryPath(['default-domain', 'naïve 文', 'a:b']), 'default-domain/naïve 文/a:b')
  })

  test('never leads elsewhere', () => {
    fc.assert(
      fc.property(
        fc.array(
          hostile.filter((name) => name !== '' && !name.includes('/')),
          { minLength: 1 },
        ),
        (names) => assert.ok(isInside(entryPath(names))),
      ),
    )
  })
})

/** On whatever system it is unpacked. */
function isInside(name: string): boolean {
  return (
    posix.resolve('/chosen', name).startsWith('/chosen/') &&
    win32.resolve('D:\\chosen', name).toLowerCase().startsWith('d:\\chosen\\')
  )
}
