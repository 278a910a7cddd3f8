import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clipboardSize, emptyClipboard, parseClipboard, withDocuments, withoutDocuments } from './clipboard.ts'

describe('the clipboard', () => {
  test('holds each document once, the latest last', () => {
    const { ids } = withDocuments({ ids: ['a', 'b'] }, ['c', 'a'])
    assert.deepEqual(ids, ['b', 'c', 'a'])
  })
  test('forgets the earliest where there is no room', () => {
    const many = Array.from({ length: clipboardSize + 2 }, (_, index) => `id-${index}`)
    const { ids } = withDocuments(emptyClipboard, many)
    assert.equal(ids.length, clipboardSize)
    assert.equal(ids[0], 'id-2')
  })
  test('lets go of documents', () => assert.deepEqual(withoutDocuments({ ids: ['a', 'b'] }, ['a', 'x']), { ids: ['b'] }))
  test('is empty where what was stored is no list of ids', () => {
    for (const text of [null, '', '{', '{"ids":1}', '"a"', '[1,{},"x\' OR 1=1"]']) assert.deepEqual(parseClipboard(text).ids, [])
    assert.deepEqual(parseClipboard('["a-1","a-1","b"]').ids, ['a-1', 'b'])
    assert.deepEqual(parseClipboard('{"ids":["a"],"isCut":true}'), { ids: ['a'], isCut: true })
  })
})
