import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { operationBenchOn } from '../support/operation-bench.ts'
import { operationsOn } from '../support/operations.ts'
import { retentionBenchOn } from '../support/retention-bench.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

onEachServer('retention rules', (server) => {
  const bench = operationBenchOn(server)
  const { rule } = retentionBenchOn(server, bench)
  const usual = { 'retention_def:startingPointPolicy': 'immediate', 'retention_def:durationYears': 1 }
  before(async () => {
    await server.addUser('keeper', ['members', 'RecordManager'])
  })
  const create = (properties: object, as = 'Administrator', parent = '/RetentionRules') =>
    server.as(as).post(`/path${parent}`, { 'entity-type': 'document', type: 'RetentionRule', name: 'a-rule', properties })
  const update = (uid: string, properties: object, as: string) =>
    server.as(as).put(`/id/${uid}`, { 'entity-type': 'document', properties })

  describe('the folder of rules', () => {
    test('is there from the first start, for record managers to fill and for all to read', async () => {
      const { body } = await server.as('reader').get('/path/RetentionRules')
      assert.deepEqual([body.type, body.title], ['RetentionRules', 'Retention Rules'])
      assert.equal((await create(usual, 'keeper')).status, 201)
      assert.equal((await create(usual, 'owner')).status, 403)
    })
    test('is made by administrators alone', async () => {
      const body = { 'entity-type': 'document', type: 'RetentionRules', name: 'more' }
      assert.equal((await server.as('owner').post(`/path${bench.shared.path}`, body)).status, 403)
      assert.equal((await server.as('Administrator').post(`/path${bench.shared.path}`, body)).status, 201)
    })
  })

  describe('a new rule', () => {
    test('has the defaults that clients know', async () => {
      const { properties } = requireStatus(
        201,
        await server.as('Administrator').post(
          '/path/RetentionRules',
          {
            'entity-type': 'document',
            type: 'RetentionRule',
            name: 'defaults',
            properties: usual,
          },
          { properties: '*' },
        ),
      )
      assert.deepEqual(Object.fromEntries(Object.entries(properties).filter(([name]) => name.startsWith('retention_'))), {
        'retention_rule:applicationPolicy': 'manual',
        'retention_rule:enabled': true,
        'retention_rule:flexibleRecords': false,
        'retention_rule:docTypes': [],
        'retention_def:durationDays': 0,
        'retention_def:durationMonths': 0,
        'retention_def:durationYears': 1,
        'retention_def:durationMillis': 0,
        'retention_def:expression': null,
        'retention_def:startingPointPolicy': 'immediate',
        'retention_def:startingPointEvent': null,
        'retention_def:startingPointExpression': null,
        'retention_def:startingPointValue': null,
        'retention_def:metadataXPath': null,
        'retention_def:beginActions': [],
        'retention_def:endActions': [],
      })
    })
    test('is written by record managers alone, wherever others may write', async () => {
      const { path } = bench.shared
      assertRefused(await create(usual, 'owner', path), 403, /is for administrators and members of the group RecordManager/)
      const uid = await rule({}, { parent: path })
      assertRefused(await update(uid, { 'retention_def:durationYears': 9 }, 'owner'), 403, /RecordManager/)
      assertRefused(await update(uid, { 'retention_rule:enabled': false }, 'owner'), 403, /RecordManager/)
      assert.equal((await update(uid, { 'dc:title': 'called otherwise' }, 'owner')).status, 200)
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('keeper', 'ReadWrite')] }])
      assert.equal((await update(uid, { 'retention_def:durationYears': 9 }, 'keeper')).status, 200)
    })
    test('is not made of another document by its facet, nor taken away by it', async () => {
      const { uid } = await bench.make()
      assertRefused(await bench.call('Document.AddFacet', uid, { facet: 'RetentionRule' }, { as: 'owner' }), 403, /RecordManager/)
      const version = (await bench.checkIn(await rule({}, { parent: bench.shared.path }))).version.id
      assert.equal((await bench.call('Document.RestoreVersion', version, {}, { as: 'owner' })).status, 403)
    })
  })

  describe('what cannot work is refused', () => {
    const refusals: [sentence: string, properties: object, message: RegExp][] = [
      ['without a policy', { 'retention_def:startingPointPolicy': null }, /startingPointPolicy/],
      ['with an unknown policy', { 'retention_def:startingPointPolicy': 'sometimes' }, /startingPointPolicy/],
      ['without a duration', { 'retention_def:durationYears': 0 }, /has no duration/],
      ['with a negative one', { 'retention_def:durationYears': -1 }, /whole numbers from 0 to 1000 years/],
      ['with one that is for ever', { 'retention_def:durationMonths': 999_999_999_999 }, /whole numbers/],
      [
        'for an event that it does not name',
        { 'retention_def:startingPointPolicy': 'event_based' },
        /needs retention_def:startingPointEvent/,
      ],
      [
        'for an event that nobody knows',
        { 'retention_def:startingPointPolicy': 'event_based', 'retention_def:startingPointEvent': 'Retention.Nothing' },
        /startingPointEvent/,
      ],
      [
        'for a date that it does not name',
        { 'retention_def:startingPointPolicy': 'metadata_based' },
        /needs retention_def:metadataXPath/,
      ],
      ...['dc:title', 'dc:nothing', 'expired', 'ecm:retainUntil', 'files:files/0', "dc:expired' OR 1=1"].map(
        (xpath): [string, object, RegExp] => [
          `for a date that is none: ${xpath}`,
          { 'retention_def:startingPointPolicy': 'metadata_based', 'retention_def:metadataXPath': xpath },
          /must name a date of documents/,
        ],
      ),
      ['after a delay that it does not say', { 'retention_def:startingPointPolicy': 'after_delay' }, /needs the delay/],
      [
        'after a delay that is none',
        { 'retention_def:startingPointPolicy': 'after_delay', 'retention_def:startingPointValue': 'soon' },
        /needs the delay/,
      ],
      ['for a type that there is not', { 'retention_rule:docTypes': ['File', "x') OR ('1'='1"] }, /there is no document type/],
      ['for too many types', { 'retention_rule:docTypes': Array.from({ length: 501 }, () => 'File') }, /./],
      ['with an action that may not be named', { 'retention_def:endActions': ['RunScript'] }, /endActions/],
      [
        'with an expression that cannot be read',
        { 'retention_def:expression': 'Document.title ==' },
        /retention_def:expression cannot be read/,
      ],
      ['with an expression as long as a book', { 'retention_def:startingPointExpression': `"${'x'.repeat(5_000)}" == ""` }, /./],
      [
        'with an expression that is nested too deep',
        { 'retention_def:expression': `${'('.repeat(1_000)}1${')'.repeat(1_000)}` },
        /cannot be read/,
      ],
    ]
    for (const [sentence, properties, message] of refusals) {
      test(sentence, async () => {
        const answer = await create({ ...usual, ...properties })
        assert.ok([400, 422].includes(answer.status), answer.text)
        assert.match(answer.text, message)
      })
    }
    test('also where a rule is changed', async () => {
      const uid = await rule()
      assertRefused(await update(uid, { 'retention_def:durationYears': 0 }, 'Administrator'), 400, /has no duration/)
    })
  })

  describe('the vocabularies', () => {
    const entry = (directory: string, id: string, as: string) =>
      server.as(as).post(`/directory/${directory}`, {
        'entity-type': 'directoryEntry',
        directoryName: directory,
        properties: { id, label: id, obsolete: 0, ordering: 1 },
      })
    test('are filled as clients expect', async () => {
      for (const [directory, ids] of [
        ['RetentionEnd', ['Document.Delete', 'Document.Trash']],
        ['RetentionEvent', ['documentModified', 'documentMoved']],
      ] as const) {
        const { body } = await server.as('reader').get(`/directory/${directory}`)
        assert.deepEqual(body.entries.map(({ id }: Answered) => id).toSorted(), ids)
      }
    })
    test('of actions, which are run as the server, are for administrators alone', async () => {
      await server.addUser('power', ['powerusers'])
      for (const directory of ['RetentionEnd', 'RetentionBegin']) {
        assert.equal((await entry(directory, 'Document.Query', 'power')).status, 403)
        assert.equal((await entry(directory, 'Document.Query', 'keeper')).status, 403)
        assert.equal((await entry(directory, 'Document.Query', 'Administrator')).status, 201)
      }
    })
    test('may name what is no operation, but no rule may', async () => {
      await entry('RetentionEnd', 'NoSuchChain', 'Administrator')
      assertRefused(
        await create({ ...usual, 'retention_def:endActions': ['NoSuchChain'] }),
        400,
        /no operation or chain "NoSuchChain"/,
      )
    })
  })

  describe('page providers', () => {
    const found = async (name: string, query: string, as = 'Administrator'): Promise<readonly string[]> => {
      const { entries } = requireStatus(200, await server.as(as).get(`/search/pp/${name}/execute?${query}`))
      return entries.map(({ uid }: Answered) => uid)
    }
    test('suggest rules in force by their title and by the type that they are for', async () => {
      const [one, other, off] = [
        await rule({ 'dc:title': 'contracts of today', 'retention_rule:docTypes': ['File'] }),
        await rule({ 'dc:title': 'contracts of old', 'retention_rule:docTypes': ['Note'] }),
        await rule({ 'dc:title': 'contracts of never', 'retention_rule:enabled': false }),
      ]
      assert.deepEqual(await found('manual_retention_rule_suggestion', 'queryParams=contracts', 'reader'), [one, other])
      assert.deepEqual(await found('manual_retention_rule_suggestion', 'queryParams=contracts&docType=Note'), [other])
      const active = await found('active_retention_rule', 'pageSize=1000')
      assert.deepEqual(
        [one, other, off].map((uid) => active.includes(uid)),
        [true, true, false],
      )
    })
    test('find records, and count them by rule and by when they are free', async () => {
      const content = { 'file:content': { data: 'a', name: 'a.txt' } }
      const [kept, { uid }, { uid: free }] = [await rule(), await bench.make('File', content), await bench.make('File', content)]
      await operationsOn(server)('Retention.AttachRule', { input: uid, params: { rule: kept } })
      const { entries, aggregations } = requireStatus(
        200,
        await server.as('Administrator').get(`/search/pp/retention_search/execute?quickFilters=withRule&rules_agg=["${kept}"]`),
      )
      assert.deepEqual(
        entries.map((one: Answered) => one.uid),
        [uid],
      )
      assert.deepEqual(
        aggregations.rules_agg.buckets
          .map(({ key, docCount }: Answered) => [key, docCount])
          .find(([key]: [string]) => key === kept),
        [kept, 1],
      )
      const beforeAYear = aggregations.ecm_retain_agg.buckets.find(({ key }: Answered) => key === 'beforeAYear')
      assert.ok(beforeAYear !== undefined, JSON.stringify(aggregations.ecm_retain_agg))
      assert.ok((await found('retention_search', 'quickFilters=withoutRule&pageSize=100')).includes(free))
    })
  })
})
