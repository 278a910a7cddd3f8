import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PieceLayout } from '../../api/pieces.ts'
import { layoutFor } from './layout.ts'

const named = (groups: ReturnType<typeof layoutFor>['groups']) =>
  groups.map(({ label, fields }) => [label, fields.map(({ xpath }) => xpath)])

test('a form begins with what every document has, and ends with what only its type has', () => {
  const xpaths = ['inv:amount', 'dc:source', 'dc:title', 'dc:created', 'inv:paid', 'nxtag:tags', 'dc:nature']
  assert.deepEqual(named(layoutFor(xpaths).groups), [
    ['main', ['dc:title']],
    ['filing', ['dc:nature']],
    ['origin', ['dc:source']],
    ['inv', ['inv:amount', 'inv:paid']],
  ])
})

describe('a layout of a plugin', () => {
  const xpaths = ['dc:title', 'dc:source', 'inv:amount', 'inv:due', 'inv:number']
  const layout: PieceLayout = {
    plugin: 'invoices',
    types: ['Invoice'],
    groups: [
      {
        label: { en: 'Invoice', fr: 'Facture' },
        fields: [
          { field: 'inv:amount', width: 'half', widget: 'amount-field' },
          { field: 'inv:due', width: 'half', when: { state: 'open' } },
          { field: 'inv:gone', width: 'full' },
        ],
      },
      { label: { en: 'Abroad', fr: 'Étranger' }, fields: [{ field: 'dc:source', width: 'full' }], when: { type: 'Note' } },
    ],
    columns: [],
  }

  test('comes first, and what it leaves out follows', () => {
    const { groups } = layoutFor(xpaths, { layout, of: { type: 'Invoice', state: 'open' } })
    assert.deepEqual(named(groups), [
      ['own-0', ['inv:amount', 'inv:due']],
      ['main', ['dc:title']],
      ['inv', ['inv:number']],
    ])
    assert.deepEqual(groups[0]?.fields[0], { xpath: 'inv:amount', width: 'half', widget: 'amount-field' })
  })

  test('keeps what a condition takes away out of the rest as well', () => {
    const { groups } = layoutFor(xpaths, { layout, of: { type: 'Invoice', state: 'paid' } })
    assert.deepEqual(named(groups), [
      ['own-0', ['inv:amount']],
      ['main', ['dc:title']],
      ['inv', ['inv:number']],
    ])
  })
})
