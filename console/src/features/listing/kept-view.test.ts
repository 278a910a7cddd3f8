import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKeptView } from './kept-view.ts'

test('a kept view is read as far as it makes sense', () => {
  const usual = parseKeptView(null)
  assert.equal(usual.layout, 'list')
  for (const odd of ['', '{', 'null', '[]', '7', '{"layout":"spiral","columns":7,"sort":{"by":"x; DROP","order":"asc"}}'])
    assert.deepEqual(parseKeptView(odd), usual)
  const kept = { layout: 'gallery', columns: ['state', 'dc:modified', 'nothing'], sort: { by: 'dc:modified', order: 'desc' } }
  assert.deepEqual(parseKeptView(JSON.stringify(kept)), { ...kept, columns: ['dc:modified', 'state'] })
})
