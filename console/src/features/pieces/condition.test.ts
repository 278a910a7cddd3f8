import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PieceCondition } from '../../api/pieces.ts'
import { holds } from './condition.ts'

const invoice = {
  type: 'Invoice',
  state: 'open',
  facets: ['Versionable'],
  properties: { 'inv:currency': 'USD', 'inv:amount': 0, 'inv:due': null, 'dc:subjects': [], 'dc:title': 'March' },
  contextParameters: { permissions: ['Read'] },
}

describe('a condition holds', () => {
  const rows: readonly [condition: PieceCondition, isTrue: boolean][] = [
    [{ type: ['Invoice', 'CreditNote'] }, true],
    [{ type: 'Note' }, false],
    [{ state: 'open' }, true],
    [{ state: ['paid'] }, false],
    [{ facet: 'Versionable' }, true],
    [{ facet: 'Folderish' }, false],
    [{ permission: 'Read' }, true],
    [{ permission: 'Write' }, false],
    [{ field: 'inv:currency', is: 'USD' }, true],
    [{ field: 'inv:currency', is: ['EUR', 'USD'] }, true],
    [{ field: 'inv:amount', is: 0 }, true],
    [{ field: 'inv:amount', is: '0' }, false],
    [{ field: 'inv:due', is: null }, true],
    [{ field: 'inv:unknown', is: null }, true],
    [{ field: 'inv:due', isSet: false }, true],
    [{ field: 'dc:subjects', isSet: true }, false],
    [{ field: 'inv:amount', isSet: true }, true],
    [{ all: [] }, true],
    [{ any: [] }, false],
    [{ not: { any: [{ state: 'paid' }, { type: 'Note' }] } }, true],
    [{ field: '__proto__', isSet: true }, false],
    [{ field: 'constructor', is: null }, true],
  ]
  for (const [condition, isTrue] of rows) {
    test(`${JSON.stringify(condition)}: ${isTrue}`, () => assert.equal(holds(condition, invoice), isTrue))
  }

  test('without one', () => assert.equal(holds(undefined, invoice), true))

  test('of a permission that is not known, so that the server is asked', () =>
    assert.equal(holds({ permission: 'Write' }, { type: 'Invoice' }), true))
})
