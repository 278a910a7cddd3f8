import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { fieldNamed, shelfWith } from '../../../../test/support/shelf.ts'
import type { SummarisedPart, Summary, SummaryParts, SummaryResult } from '../../search.ts'

const counts = (...pairs: readonly (readonly [value: string | number | boolean, count: number])[]): SummaryResult => ({
  kind: 'counts',
  counts: pairs.map(([value, count]) => ({ value, count })),
})
const number = (value: number | null): SummaryResult => ({ kind: 'number', value })

onEachEngine('summaries of what a query finds', (engine) => {
  const open = shelfWith(engine, {
    folder: { type: 'Folder', properties: { 'dc:title': 'x' } },
    'folder/a': {
      facets: ['Special', 'Folderish'],
      properties: {
        'dc:nature': 'note',
        'dc:created': '2024-01-05T00:00:00.000Z',
        'my:long': 10,
        'my:double': 0.5,
        'my:boolean': true,
        'dc:subjects': ['art', 'art', 'sea'],
        'my:longs': [1, 1, 2],
      },
    },
    'folder/b': {
      properties: {
        'dc:nature': 'note',
        'dc:created': '2024-01-20T00:00:00.000Z',
        'my:long': 25,
        'my:double': 1.5,
        'my:boolean': true,
        'dc:subjects': ['art'],
        'my:longs': [30],
      },
    },
    c: { properties: { 'dc:nature': 'article', 'dc:created': '2024-03-01T00:00:00.000Z', 'my:long': -1, 'my:boolean': false } },
    d: {},
  })
  const all = 'SELECT * FROM Specimen'

  test('values come by how frequent they are and then by themselves, and only so many', async () => {
    const shelf = await open()
    const values = (name: string, max = 10) => shelf.summarise(all, { kind: 'values', of: fieldNamed(name), max })
    assert.deepEqual(await values('dc:nature'), counts(['note', 2], ['article', 1]))
    assert.deepEqual(await values('my:long'), counts([-1, 1], [10, 1], [25, 1]))
    assert.deepEqual(await values('my:boolean'), counts([true, 2], [false, 1]))
    assert.deepEqual(await values('my:long', 2), counts([-1, 1], [10, 1]))
    assert.deepEqual(await values('ecm:primaryType'), counts(['Specimen', 4]))
  })

  test('a document counts once for each distinct value of a list', async () => {
    const shelf = await open()
    for (const name of ['dc:subjects', 'dc:subjects/*']) {
      const summary = { kind: 'values', of: fieldNamed(name), max: 10 } as const
      assert.deepEqual(await shelf.summarise(all, summary), counts(['art', 2], ['sea', 1]), name)
    }
    assert.deepEqual(await shelf.summarise(all, { kind: 'total', of: fieldNamed('my:longs'), function: 'sum' }), number(33))
  })

  test('prefixes of dates are their months', async () => {
    const shelf = await open()
    const summary = { kind: 'prefixes', of: fieldNamed('dc:created'), length: 7, max: 10 } as const
    assert.deepEqual(await shelf.summarise(all, summary), counts(['2024-01', 2], ['2024-03', 1]))
  })

  test('ranges begin with their lower bound and end before the upper one, for numbers and for dates', async () => {
    const shelf = await open()
    const ranges = [{ to: 10 }, { from: 10, to: 25 }, { from: 25 }, { from: 100 }]
    const inRanges = (...numbers: readonly number[]) => ({ kind: 'rangeCounts', counts: numbers })
    assert.deepEqual(await shelf.summarise(all, { kind: 'ranges', of: fieldNamed('my:long'), ranges }), inRanges(1, 1, 1, 0))
    const days = [{ to: '2024-01-20T00:00:00.000Z' }, { from: '2024-01-20T00:00:00.000Z' }]
    assert.deepEqual(await shelf.summarise(all, { kind: 'ranges', of: fieldNamed('dc:created'), ranges: days }), inRanges(1, 2))
    const wide = [{ from: 0, to: 10 }, {}]
    assert.deepEqual(await shelf.summarise(all, { kind: 'ranges', of: fieldNamed('my:longs'), ranges: wide }), inRanges(1, 2))
    assert.deepEqual(await shelf.summarise(all, { kind: 'ranges', of: fieldNamed('my:long'), ranges: [] }), inRanges())
  })

  test('intervals are named by their lower bound, also below zero', async () => {
    const shelf = await open()
    const intervals = (name: string, width: number) => shelf.summarise(all, { kind: 'intervals', of: fieldNamed(name), width })
    assert.deepEqual(await intervals('my:long', 10), counts([-10, 1], [10, 1], [20, 1]))
    assert.deepEqual(await intervals('my:double', 1), counts([0, 1], [1, 1]))
    assert.deepEqual(await intervals('my:longs', 2), counts([0, 1], [2, 1], [30, 1]))
  })

  test('totals are of values and moments, or of how many there are', async () => {
    const shelf = await open()
    const total = (name: string, what: 'count' | 'cardinality' | 'sum' | 'avg' | 'min' | 'max' | 'missing') =>
      shelf.summarise(all, { kind: 'total', of: fieldNamed(name), function: what })
    assert.deepEqual(await total('dc:nature', 'count'), number(3))
    assert.deepEqual(await total('dc:nature', 'cardinality'), number(2))
    assert.deepEqual(await total('dc:nature', 'missing'), number(1))
    assert.deepEqual(await total('dc:subjects', 'missing'), number(2))
    assert.deepEqual(await total('my:long', 'sum'), number(34))
    assert.deepEqual(await total('my:double', 'avg'), number(1))
    assert.deepEqual(await total('my:long', 'min'), number(-1))
    assert.deepEqual(await total('my:double', 'max'), number(1.5))
    assert.deepEqual(await total('dc:created', 'max'), number(Date.parse('2024-03-01T00:00:00.000Z')))
    assert.deepEqual(await total('dc:created', 'sum'), number(null))
    assert.deepEqual(await total('dc:nature', 'min'), number(null))
  })

  test('facets are those of the type and the own ones that a query sees', async () => {
    const shelf = await open()
    const of = { kind: 'facets', facetsOf: (type: string) => (type === 'Folder' ? ['Folderish', 'Immutable'] : []) } as const
    const everything = 'SELECT * FROM Document'
    assert.deepEqual(await shelf.summarise(everything, { kind: 'values', of, max: 10 }), counts(['Folderish', 1], ['Special', 1]))
    assert.deepEqual(await shelf.summarise(everything, { kind: 'values', of, max: 1 }), counts(['Folderish', 1]))
    assert.deepEqual(await shelf.summarise(everything, { kind: 'total', of, function: 'missing' }), number(3))
  })

  test('a segment of the path is that of its depth', async () => {
    const shelf = await open()
    const segments = (depth: number) =>
      shelf.summarise('SELECT * FROM Document', { kind: 'values', of: { kind: 'pathSegment', depth }, max: 10 })
    assert.deepEqual(await segments(1), counts(['folder', 3], ['c', 1], ['d', 1]))
    assert.deepEqual(await segments(2), counts(['a', 1], ['b', 1]))
    assert.deepEqual(await segments(3), counts())
  })

  test('the conditions of the query and its LIMIT decide what is summarised', async () => {
    const shelf = await open()
    const summary = { kind: 'values', of: fieldNamed('dc:nature'), max: 10 } as const
    assert.deepEqual(await shelf.summarise("SELECT * FROM Specimen WHERE dc:subjects/* = 'art'", summary), counts(['note', 2]))
    const first = 'SELECT * FROM Specimen ORDER BY dc:created DESC LIMIT 1'
    assert.deepEqual(await shelf.summarise(first, summary), counts(['article', 1]))
  })

  const totals = ['count', 'cardinality', 'sum', 'avg', 'min', 'max', 'missing'] as const
  const asked = ['dc:nature', 'dc:created', 'my:double', 'my:longs']
  const everySummary = asked.flatMap((name): readonly Summary[] => {
    const of = fieldNamed(name)
    const ofNumbers = name.startsWith('my:')
    return [
      { kind: 'values', of, max: 10 },
      { kind: 'values', of, max: 1 },
      ...(name === 'dc:created' ? ([{ kind: 'prefixes', of, length: 7, max: 10 }] as const) : []),
      ...(ofNumbers ? ([{ kind: 'intervals', of, width: 10 }] as const) : []),
      ...(ofNumbers ? ([{ kind: 'ranges', of, ranges: [{ to: 10 }, { from: 2, to: 26 }] }] as const) : []),
      ...totals.map((name) => ({ kind: 'total', of, function: name }) as const),
    ]
  })

  interface PartCase {
    readonly parts: SummaryParts
    /** What each part is called, with the condition of being in it. */
    readonly conditions: readonly (readonly [part: string | number | boolean, condition: string])[]
  }
  const parted: readonly PartCase[] = [
    ['dc:nature', ['note', "dc:nature = 'note'"], ['article', "dc:nature = 'article'"]],
    ['my:long', [10, 'my:long = 10'], [-1, 'my:long = -1'], [25, 'my:long = 25']],
    ['my:double', [0.5, 'my:double = 0.5'], [1.5, 'my:double = 1.5']],
    ['my:boolean', [true, 'my:boolean = 1'], [false, 'my:boolean = 0']],
    ['dc:subjects', ['art', "dc:subjects/* = 'art'"], ['sea', "dc:subjects/* = 'sea'"]],
    ['my:longs', [1, 'my:longs/* = 1'], [2, 'my:longs/* = 2'], [30, 'my:longs/* = 30']],
    ['ecm:primaryType', ['Specimen', "ecm:primaryType = 'Specimen'"]],
  ].map(([name, ...conditions]) => ({
    parts: { kind: 'values', of: fieldNamed(name as string) },
    conditions: conditions as unknown as PartCase['conditions'],
  }))
  const moments = ['2024-01-20T00:00:00.000Z', '2024-02-01T00:00:00.000Z'] as const
  const cut: readonly PartCase[] = [
    {
      parts: { kind: 'intervals', of: fieldNamed('my:long'), bounds: [0, 10, 25] },
      conditions: [
        [0, 'my:long < 0'],
        [2, 'my:long >= 10 AND my:long < 25'],
        [3, 'my:long >= 25'],
      ],
    },
    {
      parts: { kind: 'intervals', of: fieldNamed('my:longs'), bounds: [2, 30] },
      conditions: [
        [0, 'my:longs/*1 < 2'],
        [1, 'my:longs/*1 >= 2 AND my:longs/*1 < 30'],
        [2, 'my:longs/*1 >= 30'],
      ],
    },
    {
      parts: { kind: 'intervals', of: fieldNamed('dc:created'), bounds: moments },
      conditions: [
        [0, `dc:created < TIMESTAMP '${moments[0]}'`],
        [1, `dc:created >= TIMESTAMP '${moments[0]}' AND dc:created < TIMESTAMP '${moments[1]}'`],
        [2, `dc:created >= TIMESTAMP '${moments[1]}'`],
      ],
    },
  ]

  for (const { parts, conditions } of [...parted, ...cut]) {
    test(`a summary of each part by ${described({ parts })} is that of what the part's condition finds`, async () => {
      const shelf = await open()
      for (const summary of everySummary) {
        const found = await shelf.summariseParts(all, summary, parts)
        for (const [part, condition] of conditions) {
          const alone = await shelf.summarise(`${all} WHERE ${condition}`, summary)
          assert.deepEqual(resultFor(found, part) ?? nothingOf(summary), alone, `${condition}: ${JSON.stringify(summary)}`)
        }
      }
    })
  }

  for (const [outer, inner] of pairsOf([...parted, ...cut])) {
    test(`a summary of each part by ${described(outer)} and then by ${described(inner)} is that of what both conditions find`, async () => {
      const shelf = await open()
      for (const summary of everySummary.filter((_, index) => index % 3 === 0)) {
        const found = await shelf.summariseParts(all, summary, outer.parts, inner.parts)
        for (const [part, condition] of outer.conditions) {
          for (const [name, within] of inner.conditions) {
            const both = `(${condition}) AND (${within.replaceAll('/*1', '/*2')})`
            const alone = await shelf.summarise(`${all} WHERE ${both}`, summary)
            assert.deepEqual(resultFor(found, part, name) ?? nothingOf(summary), alone, `${both}: ${JSON.stringify(summary)}`)
          }
        }
      }
    })
  }

  test('conditions and LIMIT of the query decide what is parted, and a part that nothing is in has no answer', async () => {
    const shelf = await open()
    const summary = { kind: 'total', of: fieldNamed('my:long'), function: 'sum' } as const
    const parts = { kind: 'values', of: fieldNamed('dc:nature') } as const
    const found = await shelf.summariseParts("SELECT * FROM Specimen WHERE dc:subjects/* = 'art'", summary, parts)
    assert.deepEqual(found, [{ names: ['note'], result: number(35) }])
    const first = 'SELECT * FROM Specimen ORDER BY dc:created DESC LIMIT 1'
    assert.deepEqual(await shelf.summariseParts(first, summary, parts), [{ names: ['article'], result: number(-1) }])
  })

  test('hundreds of intervals are told apart in one look', async () => {
    const shelf = await open()
    const parts = {
      kind: 'intervals',
      of: fieldNamed('my:long'),
      bounds: Array.from({ length: 500 }, (_, index) => index - 250),
    } as const
    const found = await shelf.summariseParts(all, { kind: 'total', of: fieldNamed('my:long'), function: 'sum' }, parts)
    for (const [part, sum] of [
      [250, -1],
      [261, 10],
      [276, 25],
    ] as const)
      assert.deepEqual(resultFor(found, part), number(sum))
    assert.equal(found?.length, 3)
  })

  test('facets are not parted', async () => {
    const shelf = await open()
    const facets = { kind: 'facets', facetsOf: () => [] } as const
    const natures = fieldNamed('dc:nature')
    const summary = { kind: 'values', of: natures, max: 10 } as const
    assert.equal(await shelf.summariseParts(all, summary, { kind: 'values', of: facets }), undefined)
    assert.equal(await shelf.summariseParts(all, { ...summary, of: facets }, { kind: 'values', of: natures }), undefined)
  })
})

function described({ parts }: { readonly parts: SummaryParts }): string {
  const { kind, of } = parts
  return `the ${kind} of ${of.kind === 'reference' ? of.reference.identity : of.kind}`
}

/** Each with the next. */
function pairsOf<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.map((item, index) => [item, items[(index + 1) % items.length] as Item])
}

function resultFor(
  found: readonly SummarisedPart[] | undefined,
  ...names: readonly (string | number | boolean)[]
): SummaryResult | undefined {
  return found?.find((part) => part.names.every((name, index) => name === names[index]))?.result
}

function nothingOf(summary: Summary): SummaryResult {
  if (summary.kind === 'ranges') return { kind: 'rangeCounts', counts: summary.ranges.map(() => 0) }
  if (summary.kind === 'total') return number(['count', 'cardinality', 'missing'].includes(summary.function) ? 0 : null)
  return counts()
}
