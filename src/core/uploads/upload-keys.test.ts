import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assemblyKey, batchKey, chunkKey, chunksPrefix, fileKey, filesPrefix, parseFileKey } from './upload-keys.ts'

const index = fc.nat({ max: 999_999_999_999_999 })

describe('the rows of an upload batch', () => {
  test('tell which file and chunk they are about', () => {
    fc.assert(
      fc.property(index, index, (file, chunk) => {
        assert.deepEqual(parseFileKey(fileKey('b', file)), { index: file })
        assert.deepEqual(parseFileKey(chunkKey('b', file, chunk)), { index: file, chunk })
      }),
    )
    for (const other of [batchKey('b'), `${batchKey('b')}bytes`, assemblyKey('b', 1), 'upload/b/file/x'])
      assert.equal(parseFileKey(other), undefined)
  })

  test('are in the order of their numbers, a file before its chunks and those before the next file', () => {
    fc.assert(
      fc.property(index, index, index, index, (file, chunk, other, otherChunk) => {
        const byNumber = Math.sign(file - other) || Math.sign(chunk - otherChunk)
        const [left, right]: readonly [string, string] = [chunkKey('b', file, chunk), chunkKey('b', other, otherChunk)]
        assert.equal(left < right ? -1 : left > right ? 1 : 0, byNumber)
        assert.ok(fileKey('b', file) < left)
        if (file < other) assert.ok(left < fileKey('b', other))
      }),
    )
  })

  test('begin as their batch does, and as no other', () => {
    fc.assert(
      fc.property(index, index, (file, chunk) => {
        const key = chunkKey('b', file, chunk)
        for (const prefix of [batchKey('b'), filesPrefix('b'), chunksPrefix('b', file)]) assert.ok(key.startsWith(prefix))
        assert.ok(!assemblyKey('b', file).startsWith(batchKey('b')))
        assert.ok(!key.startsWith(batchKey('b2')) && !fileKey('b', file).startsWith(chunksPrefix('b', file)))
      }),
    )
  })
})
