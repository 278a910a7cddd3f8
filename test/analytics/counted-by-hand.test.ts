import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createRandom } from '../faults/kill/random.ts'
import { onEachServer } from '../support/servers.ts'
import { aStoredChild } from '../support/stored-document.ts'
import { type Answered, workspaces } from '../support/workbench.ts'
import { figuresOn } from './figures.ts'

interface Sample {
  readonly nature: string | null
  readonly subjects: readonly string[]
  readonly created: string
  readonly type: string
  readonly length: number | null
}

const seed = 20_310_501
const count = 60
const some = <One>(random: { between(from: number, to: number): number }, of: readonly One[]): One =>
  of[random.between(0, of.length)] as One

function samplesOf(): readonly Sample[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const type = some(random, ['File', 'Note'])
    return {
      type,
      nature: some(random, ['memo', 'article', 'book', null]),
      subjects: ['art', 'sea', 'war'].filter(() => random.between(0, 2) === 0),
      created: new Date(Date.UTC(2024, random.between(0, 4), 1 + random.between(0, 28), random.between(0, 24))).toISOString(),
      length: type === 'File' ? random.between(0, 400) : null,
    }
  })
}

/** The ways of grouping, as they are asked for and as one counts by hand: each value once. */
const groupings: readonly { readonly sent: object; readonly keysOf: (sample: Sample) => readonly string[] }[] = [
  { sent: { terms: { field: 'dc:nature', size: 100 } }, keysOf: ({ nature }) => (nature === null ? [] : [nature]) },
  { sent: { terms: { field: 'dc:nature', missing: 'none' } }, keysOf: ({ nature }) => [nature ?? 'none'] },
  { sent: { terms: { field: 'dc:subjects' } }, keysOf: ({ subjects }) => subjects },
  { sent: { terms: { field: 'ecm:primaryType' } }, keysOf: ({ type }) => [type] },
  {
    sent: { date_histogram: { field: 'dc:created', interval: 'month', format: 'yyyy-MM', time_zone: '+03:00' } },
    keysOf: ({ created }) => [new Date(Date.parse(created) + 3 * 3_600_000).toISOString().slice(0, 7)],
  },
  {
    sent: { date_histogram: { field: 'dc:created', interval: 'day', format: 'yyyy-MM-dd' } },
    keysOf: ({ created }) => [created.slice(0, 10)],
  },
  {
    sent: { histogram: { field: 'file:content.length', interval: 100 } },
    keysOf: ({ length }) => (length === null ? [] : [String(Math.floor(length / 100) * 100)]),
  },
  {
    sent: {
      range: {
        field: 'file:content.length',
        ranges: [
          { key: 'low', to: 250 },
          { key: 'high', from: 150 },
        ],
      },
    },
    keysOf: ({ length }) => (length === null ? [] : [...(length < 250 ? ['low'] : []), ...(length >= 150 ? ['high'] : [])]),
  },
]

type Counted = { readonly [key: string]: { readonly count: number; readonly sum: number; readonly inside: Counted } }

/** By hand, as deep as there are groupings. */
function countedByHand(samples: readonly Sample[], [first, ...rest]: typeof groupings): Counted {
  if (first === undefined) return {}
  const keys = new Set(samples.flatMap(first.keysOf))
  return Object.fromEntries(
    [...keys].toSorted().map((key) => {
      const found = samples.filter((sample) => first.keysOf(sample).includes(key))
      const sum = found.reduce((total, { length }) => total + (length ?? 0), 0)
      return [key, { count: found.length, sum, inside: countedByHand(found, rest) }]
    }),
  )
}

function bodyOf([first, ...rest]: typeof groupings): object {
  if (first === undefined) return {}
  const inside = bodyOf(rest) as { aggs?: object }
  return { aggs: { by: { ...first.sent, aggs: { sum: { sum: { field: 'file:content.length' } }, ...inside.aggs } } } }
}

/** Buckets of nothing say only that there is nothing. */
function countedInAnswer(by: Answered): Counted {
  const buckets = (by?.buckets ?? []).filter(({ doc_count: found }: Answered) => found > 0)
  const named = buckets.map((bucket: Answered) => {
    const counted = { count: bucket.doc_count, sum: bucket.sum.value, inside: countedInAnswer(bucket.by) }
    return [String(bucket.key_as_string ?? bucket.key), counted]
  })
  return Object.fromEntries(named.toSorted(([one]: [string], [other]: [string]) => (one < other ? -1 : 1)))
}

onEachServer('11 figures in figures', (server) => {
  const { search } = figuresOn(server)
  const samples = samplesOf()
  before(async () => {
    await server.asSystem(async ({ tx }) => {
      const parent = await tx.documents.findByPath(workspaces)
      assert.ok(parent)
      const documents = samples.map(({ type, nature, subjects, created, length }, index) =>
        aStoredChild(parent, `sample${index}`, {
          type,
          properties: {
            'dc:source': 'by hand',
            'dc:nature': nature,
            'dc:subjects': [...subjects],
            'dc:created': created,
            ...(length !== null && {
              'file:content': { name: 'f', 'mime-type': 'text/plain', length, digest: `${length}`, key: `${length}` },
            }),
          },
        }),
      )
      await tx.documents.insertMany(documents)
    })
  })

  const random = createRandom(seed + 1)
  for (let tried = 0; tried < 25; tried += 1) {
    const chosen = Array.from({ length: 1 + (tried % 3) }, () => some(random, groupings))
    test(`${chosen.map(({ sent }) => JSON.stringify(sent)).join(' > ')} are as one counts by hand`, async () => {
      const query = { term: { 'dc:source': 'by hand' } }
      const { aggregations, hits } = await search('platform', { query, size: 0, ...bodyOf(chosen) })
      assert.equal(hits.total, count)
      assert.deepEqual(countedInAnswer(aggregations.by), countedByHand(samples, chosen))
    })
  }
})
