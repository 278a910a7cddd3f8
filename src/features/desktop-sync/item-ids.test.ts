import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { vendorIdentifiers } from '../../base/vendor.ts'
import { type ItemKind, itemId, parseItemId, topId } from './item-ids.ts'

const part = fc.string({ minLength: 1, maxLength: 50 }).filter((text) => !/[#\p{Cc}]/u.test(text))

test('an id is read as what it was made of', () => {
  const kinds = fc.constantFrom<ItemKind>('item', 'root', 'collection')
  fc.assert(
    fc.property(kinds, part, part, (kind, repository, documentId) => {
      assert.deepEqual(parseItemId(itemId(kind, repository, documentId)), { kind, repository, documentId })
    }),
  )
})

test('the top is known by the word of any vendor', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/)
  fc.assert(fc.property(word, (vendor) => assert.deepEqual(parseItemId(topId(vendorIdentifiers(vendor))), { kind: 'top' })))
})

test('any other text is no id', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(parseItemId(text), undefined)))
  const wrong = [
    '',
    '#',
    'defaultFileSystemItemFactory',
    'defaultFileSystemItemFactory#',
    'defaultFileSystemItemFactory#default',
    'defaultFileSystemItemFactory#default#',
    'defaultFileSystemItemFactory##x',
    'defaultFileSystemItemFactory#default#x#y',
    'toString#default#x',
    'defaultFileSystemItemFactory#default#\0',
    `${topId((neutral) => neutral)}x`,
  ]
  for (const text of wrong) assert.equal(parseItemId(text), undefined, text)
})
