import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfText } from '../../nxql/document-indexing.ts'
import { wordVector } from './word-vector.ts'

test('every word is there once, with the places where it stands', () => {
  assert.equal(wordVector('to be or not to be'), "'to':1,5 'be':2,6 'or':3 'not':4")
  assert.equal(wordVector(''), '')
})

test('the end of a text takes a place, so that the words around it are not neighbours', () => {
  assert.equal(wordVector(`a ${endOfText} b`), "'a':1 'b':3")
})

test('places end where those of the engine do, and words go on', () => {
  const vector = wordVector(`${Array.from({ length: 20_000 }, (_, index) => `w${index}`).join(' ')} w0`)
  assert.match(vector, /'w16381':16382 'w16382':16383 'w16383':16383 /)
  assert.match(vector, /'w19999':16383$/)
  assert.match(vector, /^'w0':1,16383 /)
})

test('a word has no more places than the engine keeps', () => {
  assert.equal(wordVector('a '.repeat(300).trim()).split(',').length, 255)
})

test('words are left out before they are more than the engine takes', () => {
  const word = (index: number) => `${'x'.repeat(200)}${index}`
  const vector = wordVector(Array.from({ length: 10_000 }, (_, index) => word(index)).join(' '))
  assert.ok(vector.includes(word(0)))
  assert.ok(!vector.includes(word(9_999)))
  assert.ok(Buffer.byteLength(vector) < 1_048_575)
})
