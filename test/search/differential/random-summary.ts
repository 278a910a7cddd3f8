import type { Model } from '../../../src/model/model.ts'
import { createBindingTable } from '../../../src/nxql/check/binding-table.ts'
import { findField } from '../../../src/nxql/check/field-path.ts'
import type { ValueType } from '../../../src/nxql/reference.ts'
import type { Summary, SummaryField } from '../../../src/store/search.ts'
import type { Random } from '../../faults/kill/random.ts'
import { happens, inOneWay, oneOf } from './chance.ts'
import type { Subjects } from './random-leaf.ts'
import { aPlace } from './random-place.ts'
import { dates } from './random-values.ts'

/** A question about all that a query finds. */
export function aSummary(random: Random, model: Model, subjects: Subjects): Summary {
  const { of, type } = aField(random, model, subjects)
  const isNumber = type === 'long' || type === 'double'
  const max = random.between(1, 20)
  return inOneWay<Summary>(random, [
    [3, () => ({ kind: 'values', of, max })],
    [type === 'date' ? 2 : 0, () => ({ kind: 'prefixes', of, length: oneOf(random, [4, 7, 10, 13]), max })],
    [isNumber ? 2 : 0, () => ({ kind: 'ranges', of, ranges: numberRanges })],
    [type === 'date' ? 2 : 0, () => ({ kind: 'ranges', of, ranges: dateRanges })],
    [isNumber ? 2 : 0, () => ({ kind: 'intervals', of, width: oneOf(random, [1, 10, 1_000]) })],
    [2, () => ({ kind: 'total', of, function: oneOf(random, totals) })],
  ])
}

const totals = ['count', 'cardinality', 'sum', 'avg', 'min', 'max', 'missing'] as const
const numberRanges = [{ to: 0 }, { from: 0, to: 2.5 }, { from: 1 }, { from: 3, to: 3 }]
const dateRanges = [
  { to: dates[2] as string },
  { from: dates[1] as string, to: dates[5] as string },
  { from: dates[6] as string },
]

function aField(random: Random, model: Model, subjects: Subjects): { readonly of: SummaryField; readonly type: ValueType } {
  if (happens(random, 0.1)) return { of: { kind: 'facets', facetsOf: (type) => model.shapeOf({ type }).facets }, type: 'string' }
  if (happens(random, 0.1)) return { of: { kind: 'pathSegment', depth: random.between(1, 4) }, type: 'string' }
  for (;;) {
    const place = aPlace(random, subjects.properties, { wildcards: true, lists: true })
    const reference = place && findField(model, createBindingTable(), place.written)
    if (reference !== undefined) return { of: { kind: 'reference', reference }, type: reference.type }
  }
}
