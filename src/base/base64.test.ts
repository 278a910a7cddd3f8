import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isBase64 } from './base64.ts'

describe('a text in base64', () => {
  for (const text of ['', 'QQ==', 'QUE=', 'QUFB', 'QUFB+/8=', 'A'.repeat(12_000_000)])
    test(`is one of ${text.length} characters: ${text.slice(0, 8)}`, () => assert.equal(isBase64(text), true))
  for (const text of ['Q', 'QQ=', 'QQ', '=', '====', '==', 'Q===', 'QQ==QQ==', 'QQ=Q', 'QU B', 'QUF\n', 'QUFé', 'QQ-_'])
    test(`is not ${JSON.stringify(text)}`, () => assert.equal(isBase64(text), false))
})
