import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewKindOf } from './preview-kind.ts'

test('a file is shown as its type says', () => {
  const kinds = [
    ['image/png', 'picture'],
    ['image/tiff', 'other'],
    ['video/mp4', 'video'],
    ['application/pdf; charset=binary', 'pdf'],
    ['text/csv', 'table'],
    ['text/plain', 'text'],
    ['application/ld+json', 'text'],
    // Never as it is: it would run. The page that the server makes of it runs nothing.
    ['text/html', 'page'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'page'],
    ['message/rfc822', 'page'],
    ['application/octet-stream', 'other'],
    [null, 'other'],
  ] as const
  for (const [mimeType, kind] of kinds) assert.equal(previewKindOf({ 'mime-type': mimeType, name: 'x' }), kind, String(mimeType))
})

test('a table is known by its name where its type does not tell', () => {
  assert.equal(previewKindOf({ 'mime-type': 'application/vnd.ms-excel', name: 'list.CSV' }), 'table')
})
