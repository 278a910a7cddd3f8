import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../../test/support/model/builtin-model.ts'
import { utc } from '../../../nxql/time-zone.ts'
import type { Summary, SummaryResult } from '../../../store/search.ts'
import type { AggregateDefinition } from './aggregate-definition.ts'
import type { ValueCounts } from './aggregate-plan.ts'
import type { AggregateBucket } from './bucket.ts'
import { planAggregate } from './plan-aggregate.ts'

type Options = Omit<Partial<AggregateDefinition>, 'id'> & Pick<AggregateDefinition, 'type'>

function plan(options: Options) {
  const definition = { id: 'agg', field: 'dc:nature', ...options }
  const planned = planAggregate(definition, 0, { model: builtinModel, now: '2024-05-31T10:00:00.000Z', zone: utc })
  assert.ok(planned, `${definition.field} can be summarised`)
  return planned
}

/** The buckets of what a store would answer; `asked` gets the question. */
async function buckets(options: Options, result: SummaryResult, asked: Summary[] = []): Promise<readonly AggregateBucket[]> {
  const computed = await plan(options).compute(async (summary) => {
    asked.push(summary)
    return result
  })
  assert.ok(Array.isArray(computed))
  return computed
}

function counts(of: { readonly [value: string]: number }): SummaryResult {
  return { kind: 'counts', counts: Object.entries(of).map(([value, count]) => ({ value, count })) }
}

async function keys(options: Options, result: SummaryResult): Promise<string> {
  return (await buckets(options, result)).map(({ key, count }) => `${key}:${count}`).join(' ')
}

describe('17.2 terms', () => {
  const found = counts({ memo: 3, article: 2, note: 2, book: 1 })
  const rows: [properties: { readonly [name: string]: string }, buckets: string][] = [
    [{}, 'memo:3 article:2 note:2 book:1'],
    [{ size: '2' }, 'memo:3 article:2'],
    [{ minDocCount: '2' }, 'memo:3 article:2 note:2'],
    [{ order: 'count desc' }, 'memo:3 article:2 note:2 book:1'],
    [{ order: 'count asc' }, 'book:1 article:2 note:2 memo:3'],
    [{ order: 'term asc' }, 'article:2 book:1 memo:3 note:2'],
    [{ order: 'term desc' }, 'note:2 memo:3 book:1 article:2'],
    [{ include: '(memo)|(book)' }, 'memo:3 book:1'],
    [{ exclude: 'm.*' }, 'article:2 note:2 book:1'],
    [{ include: '.*o.*', exclude: 'memo', size: '1', order: 'term desc' }, 'note:2'],
  ]
  for (const [properties, expected] of rows) {
    test(`${JSON.stringify(properties)} are ${expected}`, async () => {
      assert.equal(await keys({ type: 'terms', properties }, found), expected)
    })
  }

  test('are ten unless told, and a thousand where the size is 0', async () => {
    const asked: Summary[] = []
    await buckets({ type: 'terms' }, found, asked)
    await buckets({ type: 'terms', properties: { size: '0' } }, found, asked)
    assert.deepEqual(
      asked.map((summary) => (summary.kind === 'values' ? summary.max : 0)),
      [10, 1000],
    )
  })

  test('of flags are called true and false', async () => {
    const result: SummaryResult = {
      kind: 'counts',
      counts: [
        { value: true, count: 2 },
        { value: false, count: 1 },
      ] as ValueCounts,
    }
    assert.equal(await keys({ type: 'terms', field: 'ecm:isProxy' }, result), 'true:2 false:1')
  })

  test('that are selected are looked for; a key that is no value finds nothing', () => {
    assert.equal(plan({ type: 'terms' }).conditionOf?.(['memo', 'note']), "dc:nature IN ('memo', 'note')")
    assert.equal(plan({ type: 'terms', field: 'file:content/length' }).conditionOf?.(['many']), '1 = 0')
  })
})

test('17.2 significant terms are those more frequent than usual, the most conspicuous first', async () => {
  const computed = await plan({ type: 'significant_terms' }).compute(async (summary, of = 'found') => {
    const isFound = of === 'found'
    if (summary.kind === 'total') return { kind: 'number', value: isFound ? 10 : 100 }
    return isFound ? counts({ common: 6, rare: 3, usual: 1 }) : counts({ common: 50, rare: 3, usual: 47 })
  })
  assert.deepEqual(computed, [
    { kind: 'term', key: 'rare', count: 3 },
    { kind: 'term', key: 'common', count: 6 },
  ])
})

describe('17.2 ranges', () => {
  const definition = {
    type: 'range',
    field: 'file:content.length',
    ranges: [
      { key: 'tiny', to: 100 },
      { key: 'medium', from: 100, to: 1000 },
      { key: 'huge', from: 1000 },
    ],
  } as const

  test('are all there in their order, also without documents', async () => {
    const asked: Summary[] = []
    assert.deepEqual(await buckets(definition, { kind: 'rangeCounts', counts: [4, 0, 1] }, asked), [
      { kind: 'range', key: 'tiny', count: 4, from: null, to: 100 },
      { kind: 'range', key: 'medium', count: 0, from: 100, to: 1000 },
      { kind: 'range', key: 'huge', count: 1, from: 1000, to: null },
    ])
    const [first] = asked
    assert.deepEqual(first?.kind === 'ranges' && first.ranges, [{ to: 100 }, { from: 100, to: 1000 }, { from: 1000 }])
  })

  const rows: [keys: readonly string[], condition: string][] = [
    [['tiny'], '(file:content/length < 100)'],
    [['huge', 'tiny'], '((file:content/length < 100) OR (file:content/length >= 1000))'],
    [['medium'], '(file:content/length >= 100 AND file:content/length < 1000)'],
    [['unknown'], '1 = 0'],
  ]
  for (const [selected, condition] of rows) {
    test(`${selected} selected`, () => assert.equal(plan(definition).conditionOf?.(selected), condition))
  }

  test('inside lists are about one item', () => {
    const condition = plan({ ...definition, field: 'files:files/file/length' }).conditionOf?.(['medium'])
    assert.equal(condition, '(files:files/*9000/file/length >= 100 AND files:files/*9000/file/length < 1000)')
  })
})

test('17.2 date ranges follow the present and dates of their format', async () => {
  const definition = {
    type: 'date_range',
    field: 'dc:modified',
    properties: { format: '"dd-MM-yyyy"' },
    dateRanges: [
      { key: 'last24h', from: 'now-24H', to: 'now' },
      { key: 'before', to: '01-01-2024' },
    ],
  } as const
  assert.deepEqual(await buckets(definition, { kind: 'rangeCounts', counts: [3, 0] }), [
    { kind: 'dateRange', key: 'last24h', count: 3, from: '2024-05-30T10:00:00.000Z', to: '2024-05-31T10:00:00.000Z' },
    { kind: 'dateRange', key: 'before', count: 0, from: null, to: '2024-01-01T00:00:00.000Z' },
  ])
  assert.equal(plan(definition).conditionOf?.(['before']), "(dc:modified < TIMESTAMP '2024-01-01T00:00:00.000Z')")
})

describe('17.2 a histogram', () => {
  const of = (properties: { readonly [name: string]: string }) =>
    ({ type: 'histogram', field: 'file:content/length', properties: { interval: '1024', ...properties } }) as const
  const found = counts({ 0: 2, 3072: 1 })
  const rows: [properties: { readonly [name: string]: string }, buckets: string][] = [
    [{}, '0.0:2 1024.0:0 2048.0:0 3072.0:1'],
    [{ minDocCount: '1' }, '0.0:2 3072.0:1'],
    [{ order: 'key desc' }, '3072.0:1 2048.0:0 1024.0:0 0.0:2'],
    [{ order: 'count desc', minDocCount: '1' }, '0.0:2 3072.0:1'],
    [{ order: 'count asc', minDocCount: '1' }, '3072.0:1 0.0:2'],
    [{ extendedBoundsMin: '-1', extendedBoundsMax: '4100' }, '-1024.0:0 0.0:2 1024.0:0 2048.0:0 3072.0:1 4096.0:0'],
  ]
  for (const [properties, expected] of rows) {
    test(`${JSON.stringify(properties)} is ${expected}`, async () => assert.equal(await keys(of(properties), found), expected))
  }

  test('tells where its buckets begin and end', async () => {
    const [first] = await buckets(of({}), found)
    assert.deepEqual(first, { kind: 'range', key: '0.0', count: 2, from: 0, to: 1024 })
  })

  test('leaves out empty intervals where they would be too many', async () => {
    const sparse = { ...of({}), properties: { interval: '1' } }
    assert.equal(await keys(sparse, counts({ 0: 1, 1000000: 1 })), '0.0:1 1000000.0:1')
  })

  test('without documents is empty', async () => assert.equal(await keys(of({}), counts({})), ''))

  test('is selected by the keys of its buckets', () => {
    assert.equal(plan(of({})).conditionOf?.(['1024.0']), '(file:content/length >= 1024 AND file:content/length < 2048)')
    assert.equal(plan(of({})).conditionOf?.(['x']), '1 = 0')
  })
})

describe('17.2 a date histogram', () => {
  const of = (properties: { readonly [name: string]: string }) =>
    ({ type: 'date_histogram', field: 'dc:expired', properties }) as const
  const months = counts({ '2024-01': 2, '2024-03': 1 })
  const rows: [properties: { readonly [name: string]: string }, result: SummaryResult, buckets: string][] = [
    [{ interval: 'month', format: 'MM-yyyy' }, months, '01-2024:2 02-2024:0 03-2024:1'],
    [{ interval: 'month', format: 'MM-yyyy', order: 'key desc' }, months, '03-2024:1 02-2024:0 01-2024:2'],
    [{ interval: 'month', format: 'MM-yyyy', minDocCount: '1' }, months, '01-2024:2 03-2024:1'],
    [{ interval: 'quarter', format: 'MM-yyyy' }, months, '01-2024:3'],
    [{ interval: 'year', format: 'yyyy' }, counts({ 2022: 1, 2024: 2 }), '2022:1 2023:0 2024:2'],
    [
      { interval: 'week', format: 'dd-MM-yyyy' },
      counts({ '2024-05-01': 1, '2024-05-05': 2, '2024-05-06': 4 }),
      '29-04-2024:3 06-05-2024:4',
    ],
    [{ interval: '1d' }, counts({ '2024-05-01': 1 }), '2024-05-01T00:00:00.000Z:1'],
    [{ interval: 'month', format: 'MM-yyyy', timeZone: 'Europe/Paris' }, counts({ '2024-01-31T23:30': 1 }), '02-2024:1'],
    [{ interval: 'month', format: 'MM-yyyy', preZone: '+01:00' }, counts({ '2024-01-31T23:30': 1 }), '02-2024:1'],
    [
      { interval: 'month', format: 'MM-yyyy', extendedBoundsMin: '12-2023', extendedBoundsMax: '04-2024' },
      months,
      '12-2023:0 01-2024:2 02-2024:0 03-2024:1 04-2024:0',
    ],
  ]
  for (const [properties, result, expected] of rows) {
    test(`${JSON.stringify(properties)} is ${expected}`, async () => assert.equal(await keys(of(properties), result), expected))
  }

  test('asks for no more of a date than tells the interval', async () => {
    const asked: Summary[] = []
    for (const interval of ['2y', 'year', 'quarter', 'week', '12h', '90m', '30s'])
      await buckets(of({ interval }), counts({}), asked)
    assert.deepEqual(
      asked.map((summary) => (summary.kind === 'prefixes' ? summary.length : 0)),
      [4, 4, 7, 10, 13, 16, 19],
    )
  })
  test('asks for hours in a zone whose hours begin as those of UTC do, and for minutes in others', async () => {
    const asked: Summary[] = []
    for (const timeZone of ['+01:00', 'Europe/Paris', 'America/New_York', '+05:30', 'Asia/Kolkata', 'Australia/Lord_Howe'])
      await buckets(of({ interval: 'day', timeZone }), counts({}), asked)
    assert.deepEqual(
      asked.map((summary) => (summary.kind === 'prefixes' ? summary.length : 0)),
      [13, 16, 13, 16, 16, 16],
    )
  })

  test('tells when its buckets begin and end', async () => {
    const [first] = await buckets(of({ interval: 'month', format: 'MM-yyyy' }), months)
    const [from, to] = ['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z']
    assert.deepEqual(first, { kind: 'dateRange', key: '01-2024', count: 2, from, to })
  })

  test('is selected by the keys of its buckets', () => {
    assert.equal(
      plan(of({ interval: 'month', format: 'MM-yyyy' })).conditionOf?.(['12-2023']),
      "(dc:expired >= TIMESTAMP '2023-12-01T00:00:00.000Z' AND dc:expired < TIMESTAMP '2024-01-01T00:00:00.000Z')",
    )
  })

  test('is selected to where dates begin and end', () => {
    const months = plan(of({ interval: 'month', format: 'MM-yyyy' }))
    assert.equal(months.conditionOf?.(['12-9999']), "(dc:expired >= TIMESTAMP '9999-12-01T00:00:00.000Z')")
    const weeks = plan(of({ interval: 'week' }))
    assert.equal(
      weeks.conditionOf?.(['0000-01-01']),
      "(dc:expired >= TIMESTAMP '0000-01-01T00:00:00.000Z' AND dc:expired < TIMESTAMP '0000-01-03T00:00:00.000Z')",
    )
    assert.equal(months.conditionOf?.(['now-300000y']), '1 = 0')
  })
})

describe('17.2 one number about all values', () => {
  for (const type of ['cardinality', 'count', 'sum', 'avg', 'min', 'max', 'missing'] as const) {
    test(`${type} is asked of the store, and nothing can be selected of it`, async () => {
      const planned = plan({ type, field: 'file:content/length' })
      const asked: Summary[] = []
      const value = await planned.compute(async (summary) => {
        asked.push(summary)
        return { kind: 'number', value: 5 }
      })
      assert.deepEqual([value, planned.conditionOf], [5, undefined])
      assert.equal(asked[0]?.kind === 'total' && asked[0].function, type)
    })
  }

  test('is null where it is not finite', async () => {
    const computed = plan({ type: 'avg', field: 'file:content/length' })
    assert.equal(await computed.compute(async () => ({ kind: 'number', value: Number.NaN })), null)
  })
})

describe('17.2 a definition that cannot work is refused', () => {
  const rows: [options: Options, reason: string][] = [
    [{ type: 'terms', properties: { order: 'size desc' } }, 'Invalid order: size desc'],
    [{ type: 'terms', properties: { size: 'many' } }, 'aggregate agg: size must be a whole number'],
    [{ type: 'terms', properties: { include: '(' } }, 'aggregate agg: include is no regular expression'],
    [{ type: 'histogram', field: 'file:content/length' }, 'interval property must be defined for agg'],
    [{ type: 'histogram', properties: { interval: '0' } }, 'aggregate agg: interval must be a positive whole number'],
    [{ type: 'date_histogram', field: 'dc:expired' }, 'interval property must be defined for agg'],
    [{ type: 'date_histogram', properties: { interval: 'moon' } }, 'aggregate agg: interval is no time such as month or 90m'],
    [{ type: 'date_histogram', properties: { interval: 'day', timeZone: 'Moon' } }, 'aggregate agg: Moon is no time zone'],
    [
      { type: 'date_histogram', properties: { interval: 'day', format: 'QQ' } },
      'aggregate agg: the letter Q has no meaning in a date format',
    ],
    [{ type: 'range' }, 'aggregate agg declares no ranges'],
    [{ type: 'range', ranges: [{ key: 'any' }] }, 'aggregate agg: the range any has no bound'],
    [{ type: 'date_range', dateRanges: [{ key: 'x', from: 'soon' }] }, 'aggregate agg: soon is no date'],
    [{ type: 'median' as 'terms' }, 'Unknown aggregate type: median'],
  ]
  for (const [options, message] of rows) test(message, () => assert.throws(() => plan(options), { message }))
})
