import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { systemProperties } from '../../src/nxql/system-properties.ts'
import { shareOf } from '../support/engine-share.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'
import { figuresOn } from './figures.ts'

const fields = [
  ...Object.keys(systemProperties),
  ...[
    'ecm:tag',
    'ecm:path@level1',
    'ecm:path.children',
    'ecm:title',
    'ecm:acl',
    'ecm:fulltext',
    '_id',
    'dc:title',
    'dc:title.fulltext',
  ],
  ...['dc:subjects', 'dc:created', 'dc:contributors', 'file:content', 'file:content.length', 'file:content/name', 'files:files'],
  ...['files:files/0/file/length', 'files:files/file/length', 'vid:info/duration', 'common:icon', 'uid:major_version', 'uid'],
  ...[
    'rnode:start',
    'rnode:transitions/path/x',
    'nt:dueDate',
    'picture:views/width',
    'docri:participatingDocuments',
    '',
    'a b',
    '*',
  ],
]
const fieldsOfRows = [
  'id',
  'eventId',
  'eventDate',
  'logDate',
  'docType',
  'comment',
  'extended',
  'extended.modelName',
  'extended.a.b',
  '',
  '*',
]
const values = ['x', '-9999999999999999999999', 'true', '2024-01-01', 1.5, 1e21, true]

const conditionsOn = (field: string): readonly object[] => [
  ...values.flatMap((value) => [{ term: { [field]: value } }, { range: { [field]: { gte: value, lt: value } } }]),
  { terms: { [field]: values } },
  { exists: { field } },
  { prefix: { [field]: '/x' } },
  { wildcard: { [field]: '/x/*' } },
  { match: { [field]: 'x OR "y' } },
]
const metricsOn = (field: string) =>
  ['avg', 'sum', 'min', 'max', 'value_count', 'cardinality', 'stats', 'missing'].map((metric) => ({ [metric]: { field } }))
const bucketsOn = (field: string): readonly object[] => [
  { terms: { field, missing: 'none' } },
  { terms: { field, order: { _key: 'asc' } } },
  { significant_terms: { field } },
  { range: { field, ranges: [{ from: 0.5, to: 1e15 }, { to: 1.5 }] } },
  { date_range: { field, ranges: [{ from: 'now-1d', to: '9999-12-31' }] } },
  { histogram: { field, interval: 7 } },
  { date_histogram: { field, interval: 'year', time_zone: '-11:00' } },
]

onEachServer('11 figures about every kind of field', (server, engine) => {
  const bench = workbenchOn(server)
  const { tryTo } = figuresOn(server)
  before(async () => {
    await bench.create('Note', { 'dc:title': 'x', 'dc:contributors': ['x'] })
  })
  const ask = async (index: string, body: object) => {
    const { status, text } = await tryTo(index, { size: 1, ...body })
    assert.ok(status === 200 || status === 400, `${status} to ${JSON.stringify(body)}: ${text.slice(0, 300)}`)
  }
  const asked = [
    ...fields.map((field) => ['platform', field, 'ecm:primaryType']),
    ...fieldsOfRows.map((field) => ['audit', field, 'eventId']),
  ]
  for (const [turn, [index = '', field = '', other = '']] of asked.entries()) {
    test(`${field || 'no name'} of ${index} is answered or refused with a sentence, whatever is asked of it`, async () => {
      for (const [at, condition] of conditionsOn(field).entries()) {
        // What is negated is asked as well.
        const either = [condition, { bool: { must_not: [condition] } }]
        for (const query of shareOf(engine, either, turn + at)) await ask(index, { query })
      }
      for (const metric of metricsOn(field)) await ask(index, { aggs: { it: metric } })
      const inside = { terms: { field: other }, aggs: { again: { cardinality: { field } } } }
      for (const buckets of bucketsOn(field)) await ask(index, { aggs: { it: { ...buckets, aggs: { inside } } } })
      await ask(index, { sort: [{ [field]: 'desc' }] })
    })
  }
})
