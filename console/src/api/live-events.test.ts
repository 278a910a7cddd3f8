import assert from 'node:assert/strict'
import { before, test } from 'node:test'

const event = { 'entity-type': 'event', documentId: 'd', parentId: 'new', previousParentId: 'old' } as never
let isTouched: typeof import('./live-events.ts')['isTouched']
before(async () => {
  Object.assign(globalThis, { document: { baseURI: 'http://localhost/ui/' } })
  isTouched = (await import('./live-events.ts')).isTouched
})
const touched = (queryKey: readonly unknown[], data?: unknown) => isTouched({ queryKey, state: { data } } as never, [event])

test('an event touches the document, the folders it is and was in, and no others', () => {
  assert.equal(touched(['documents', 'one', 'path/x'], { uid: 'd' }), true)
  assert.equal(touched(['documents', 'one', 'path/x'], { uid: 'e' }), false)
  assert.equal(touched(['documents', 'children', 'new', {}, 0]), true)
  assert.equal(touched(['documents', 'children', 'old', {}, 0]), true)
  assert.equal(touched(['documents', 'children', 'other', {}, 0]), false)
  assert.equal(touched(['documents', 'history', 'd']), true)
  assert.equal(touched(['documents', 'recent']), true)
  assert.equal(touched(['me']), false)
})
