import assert from 'node:assert/strict'
import { test } from 'node:test'
import { propertyDifferences } from './property-differences.ts'

const differing = (before: object, after: object) =>
  propertyDifferences(before as never, after as never).map(({ xpath, isSame }) => [xpath, isSame])

test('properties of two versions are the same or not, and what both lack is left out', () => {
  const before = { 'dc:title': 'a', 'dc:source': null, 'dc:rights': '', 'dc:subjects': ['x'] }
  const after = { 'dc:title': 'b', 'dc:source': null, 'dc:rights': 'mine', 'dc:subjects': ['x'] }
  assert.deepEqual(differing(before, after), [
    ['dc:title', false],
    ['dc:rights', false],
    ['dc:subjects', true],
  ])
})

test('the stamps of whoever saved and the numbers of the version are no difference', () => {
  assert.deepEqual(differing({ 'dc:modified': '1', 'uid:major_version': 1 }, { 'dc:modified': '2', 'uid:major_version': 2 }), [])
})

test('a file is the same where its bytes and name are, whichever document it is in', () => {
  const file = { name: 'a.txt', digest: '12', length: '3', data: 'https://one' }
  assert.deepEqual(differing({ 'file:content': file }, { 'file:content': { ...file, data: 'https://two' } }), [
    ['file:content', true],
  ])
  assert.deepEqual(differing({ 'file:content': file }, { 'file:content': { ...file, digest: '13' } }), [['file:content', false]])
})
