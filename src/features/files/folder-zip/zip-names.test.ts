import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createZipNames } from './zip-names.ts'

const namesOf = (names: readonly (string | null)[]) => names.map(createZipNames())

test('files in an archive keep their names, but no two have the same', () => {
  assert.deepEqual(namesOf(['a.txt', 'b.txt', 'a.txt', 'a.txt', 'renamed_1_b.txt', 'b.txt']), [
    'a.txt',
    'b.txt',
    'renamed_1_a.txt',
    'renamed_2_a.txt',
    'renamed_1_b.txt',
    'renamed_2_b.txt',
  ])
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', '', null, 'renamed_1_a', 'Unknown_1')), (names) => {
      assert.equal(new Set(namesOf(names)).size, names.length)
    }),
  )
})

test('files without a name are numbered', () => {
  assert.deepEqual(namesOf([null, 'a', '', '..', 'b/']), ['Unknown_1', 'a', 'Unknown_2', 'Unknown_3', 'Unknown_4'])
})

test('names lead into no other folder, and are not too long to be unpacked', () => {
  assert.deepEqual(namesOf(['../../etc/passwd', 'C:\\plans\\a.txt', '/root']), ['passwd', 'a.txt', 'root'])
  assert.match(namesOf([`${'x'.repeat(5_000)}.txt`])[0] ?? '', /^x{196}\.txt$/)
})
