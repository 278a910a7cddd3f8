import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseJson } from '../../base/json.ts'
import { madeBlob } from './flowing-blob.ts'
import { jsonOfValue, valueOfJson } from './read-sent-properties.ts'
import { nothing, type Value } from './value.ts'

describe('JSON of a request', () => {
  const rows: [what: string, json: string, value: Value][] = [
    ['a text', '"a"', { kind: 'string', text: 'a' }],
    ['a text that looks like a reference stays one', '"doc:/a"', { kind: 'string', text: 'doc:/a' }],
    ['true', 'true', { kind: 'boolean', isTrue: true }],
    ['a whole number', '1', { kind: 'number', number: 1 }],
    ['a fraction', '1.1', { kind: 'number', number: 1.1 }],
    ['10^18, digit for digit', '1000000000000000001', { kind: 'number', number: 1000000000000000001n }],
    ['null', 'null', nothing],
    [
      'a list',
      '[1, "a"]',
      {
        kind: 'list',
        items: [
          { kind: 'number', number: 1 },
          { kind: 'string', text: 'a' },
        ],
      },
    ],
    ['a map', '{"a": null}', { kind: 'map', members: { a: nothing } }],
    ['a typed text', '{"entity-type": "string", "value": "a"}', { kind: 'string', text: 'a' }],
    [
      'a typed date',
      '{"entity-type": "date", "value": "2031-01-31T10:00:00+01:00"}',
      { kind: 'date', date: '2031-01-31T09:00:00.000Z' },
    ],
    ['a typed boolean', '{"entity-type": "boolean", "value": false}', { kind: 'boolean', isTrue: false }],
    ['a typed number', '{"entity-type": "number", "value": 5}', { kind: 'number', number: 5 }],
    ['a typed list', '{"entity-type": "list", "value": [true]}', { kind: 'list', items: [{ kind: 'boolean', isTrue: true }] }],
    [
      'a typed map',
      '{"entity-type": "orderedMap", "value": {"a": 1}}',
      { kind: 'map', members: { a: { kind: 'number', number: 1 } }, isOrdered: true },
    ],
    ['a typed value that is none', '{"entity-type": "date", "value": null}', nothing],
    ['a typed nothing', '{"entity-type": "null", "value": null}', nothing],
    ['a typed nothing that says no more', '{"entity-type": "null"}', nothing],
    [
      'a document',
      '{"entity-type": "document", "uid": "x"}',
      { kind: 'entity', entityType: 'document', json: { 'entity-type': 'document', uid: 'x' } },
    ],
    [
      'a business object',
      '{"entity-type": "NoteCard", "value": {"id": "x"}}',
      { kind: 'entity', entityType: 'NoteCard', json: { 'entity-type': 'NoteCard', value: { id: 'x' } } },
    ],
  ]
  for (const [what, json, value] of rows) test(`can be ${what}`, () => assert.deepEqual(valueOfJson(parseJson(json)), value))

  test('comes back as it was sent', () => {
    const json = fc.jsonValue({ noUnicodeString: false }).filter((one) => !JSON.stringify(one).includes('entity-type'))
    fc.assert(
      fc.property(json, (one) => {
        const sent = JSON.parse(JSON.stringify(one))
        assert.deepEqual(jsonOfValue(valueOfJson(sent)), sent)
      }),
    )
  })
})

describe('the JSON of a value', () => {
  const blob: Value = { kind: 'blob', blob: madeBlob('a', { name: 'a', mimeType: 'text/plain' }) }

  test('there is none of a file', () => assert.equal(jsonOfValue(blob), undefined))

  test('there is none of what holds a file somewhere, so that none gets lost', () => {
    assert.equal(jsonOfValue({ kind: 'list', items: [nothing, { kind: 'map', members: { file: blob } }] }), undefined)
  })
})
