import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStoredDocument } from '../../../test/support/stored-document.ts'
import { findViewToShow, listViews } from './stored-views.ts'

const blob = (name: string) => ({
  key: name,
  name,
  digest: name,
  digestAlgorithm: 'MD5',
  length: 1,
  'mime-type': 'image/jpeg',
  encoding: null,
})
const view = (title: string, side: number) => ({ title, width: side, height: side / 2, content: blob(title) })
const pictured = (views: readonly object[]) => ({ ...aStoredDocument(), properties: { 'picture:views': views as never } })
const all = pictured([view('Thumbnail', 100), view('Small', 560), view('Medium', 1000), { title: 'Empty', width: 5000 }])

const rows: readonly [size: number | undefined, title: string][] = [
  [undefined, 'Small'],
  [64, 'Thumbnail'],
  [100, 'Thumbnail'],
  [128, 'Small'],
  [1000, 'Medium'],
  [2048, 'Medium'],
]
for (const [size, title] of rows) {
  test(`9 a document is shown by its view ${title} ${size === undefined ? 'in lists' : `where ${size} pixels are wanted`}`, () => {
    assert.equal(findViewToShow(all, size)?.blob.name, title)
  })
}

test('9 a document is shown by the view Thumbnail where it has no other, and by none where it has none', () => {
  assert.equal(findViewToShow(pictured([view('Thumbnail', 100)]))?.blob.name, 'Thumbnail')
  assert.equal(findViewToShow(pictured([])), undefined)
  assert.equal(findViewToShow(pictured([{ title: 'Small' }])), undefined)
})

test('the address of a view is its place among all', () => {
  assert.deepEqual(
    listViews(pictured([{ title: 'Empty' }, view('Small', 560)])).map(({ xpath, longestSide }) => [xpath, longestSide]),
    [['picture:views/1/content', 560]],
  )
})
