import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { defineChain } from '../../src/automation/chain.ts'
import { expireRetentions } from '../../src/core/documents/records/record-expiry.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { untilIdle } from '../support/background.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { operationBenchOn } from '../support/operation-bench.ts'
import { operationsOn } from '../support/operations.ts'
import { retentionBenchOn } from '../support/retention-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder({ also: ['retentionActiveChanged', 'afterUnsetRetention'] })
const past = '2001-01-01T00:00:00.000Z'

const ends = definePlugin({
  name: 'ends',
  requires: ['document-operations'],
  chains: [
    defineChain({
      id: 'describeEnd',
      description: 'Notes that retention is over.',
      steps: [{ operation: 'Document.Update', params: { properties: { 'dc:description': 'free' } } }],
    }),
    defineChain({
      id: 'failingEnd',
      description: 'Fails after it has written.',
      steps: [
        { operation: 'Document.Update', params: { properties: { 'dc:description': 'written' } } },
        { operation: 'Document.AddFacet', params: { facet: 'NoSuchFacet' } },
      ],
    }),
  ],
})

onEachServer(
  'the end of retention by a rule',
  (server) => {
    const bench = operationBenchOn(server)
    const { rule, attach, repository, logged } = retentionBenchOn(server, bench)
    const file = async (): Promise<string> => (await bench.make()).uid
    before(async () => {
      await server.addUser('keeper', ['members', 'RecordManager'])
      for (const id of ['describeEnd', 'failingEnd']) {
        const properties = { id, label: id, obsolete: 0, ordering: 1 }
        const body = { 'entity-type': 'directoryEntry', directoryName: 'RetentionEnd', properties }
        requireStatus(201, await server.as('Administrator').post('/directory/RetentionEnd', body))
      }
    })
    const expire = async (uid: string) => {
      await bench.change(uid, { retainUntil: past })
      await expireRetentions(repository())
      await untilIdle(server)
    }
    const endingWith = (...endActions: string[]) => rule({ 'retention_def:endActions': endActions })
    const kept = async (ruleId: string): Promise<string> => {
      const uid = await file()
      await attach(uid, ruleId)
      return uid
    }

    test('is remembered, and told once as what sets the document free', async () => {
      const uid = await kept(await rule())
      const events = await recorder.eventsOf(() => expire(uid))
      assert.deepEqual(
        events.map(({ name, properties }) => [name, properties]),
        [
          ['retentionExpired', { retainUntil: past }],
          ['retentionActiveChanged', { retentionActive: false }],
        ],
      )
      assert.deepEqual(await logged(uid, 'retentionActiveChanged'), [
        ['system', 'false'],
        ['Administrator', 'true'],
      ])
      const { isRecord, retainUntil, facets } = await bench.read(uid)
      assert.deepEqual([isRecord, retainUntil, facets.includes('Record')], [true, null, true])
      assert.equal((await bench.readProperties(uid))['record:retainUntil'], past)
    })
    test('comes in its own time', async () => {
      const uid = await file()
      const { retainUntil } = await attach(
        uid,
        await rule({
          'retention_def:durationYears': 0,
          'retention_def:durationMillis': 50,
          'retention_def:endActions': ['Document.Trash'],
        }),
      )
      await retentionBenchOn(server, bench).waitUntilOver(retainUntil)
      assert.equal((await bench.read(uid)).isTrashed, true)
    })

    describe('what is done then', () => {
      test('is that the document is trashed, also one that is locked', async () => {
        const uid = await kept(await endingWith('Document.Trash'))
        await bench.run('Document.Lock', uid)
        await expire(uid)
        assert.equal((await bench.read(uid)).isTrashed, true)
      })
      test('or removed for good', async () => {
        const uid = await kept(await endingWith('Document.Delete'))
        await expire(uid)
        assert.equal(await bench.exists(uid), false)
      })
      test('or whatever administrators have made for it, as the server, in the order of the rule', async () => {
        const uid = await kept(await endingWith('describeEnd', 'Document.Delete', 'describeEnd'))
        await expire(uid)
        assert.equal(await bench.exists(uid), false)
        const described = await kept(await endingWith('describeEnd'))
        await bench.restrict(described)
        await expire(described)
        assert.equal((await bench.readProperties(described))['dc:description'], 'free')
      })
      test('is what the rule said when it was attached', async () => {
        const ruleId = await endingWith('describeEnd')
        const uid = await kept(ruleId)
        await bench.update(ruleId, { 'retention_def:endActions': ['Document.Delete'] })
        await bench.call('Document.Delete', ruleId)
        await expire(uid)
        assert.equal((await bench.readProperties(uid))['dc:description'], 'free')
      })
      test('is done once', async () => {
        const uid = await kept(await endingWith('describeEnd'))
        await expire(uid)
        await bench.update(uid, { 'dc:description': 'mine' })
        await bench.run('Document.Hold', uid)
        await bench.run('Document.Unhold', uid)
        await untilIdle(server)
        assert.equal((await bench.readProperties(uid))['dc:description'], 'mine')
      })
      test('waits for a legal hold to be taken away', async () => {
        const uid = await kept(await endingWith('Document.Delete'))
        await bench.run('Document.Hold', uid)
        await expire(uid)
        const { retainUntil, hasLegalHold } = await bench.read(uid)
        assert.deepEqual([retainUntil, hasLegalHold], [null, true])
        await bench.run('Document.Unhold', uid)
        await untilIdle(server)
        assert.equal(await bench.exists(uid), false)
      })
      test('waits for the end of a retention that somebody set anew meanwhile', async () => {
        const uid = await kept(await endingWith('Document.Delete'))
        await bench.run('Document.Hold', uid)
        await expire(uid)
        await bench.run('Document.Retain', uid, { until: '2090-01-01T00:00:00.000Z' })
        await bench.run('Document.Unhold', uid)
        await untilIdle(server)
        assert.equal(await bench.exists(uid), true)
        await expire(uid)
        assert.equal(await bench.exists(uid), false)
      })
      test('leaves no trace where it fails, neither makes retention last longer, and is tried again', async () => {
        const uid = await kept(await endingWith('failingEnd'))
        await bench.change(uid, { retainUntil: past })
        await expireRetentions(repository())
        const jobs = () => repository().store.reader.jobs.list({ kind: 'retention.end' }, 10)
        for (const end = Date.now() + 10_000; !(await jobs()).some(({ error }) => error !== null); await wait(20))
          assert.ok(Date.now() < end, 'the failure is noted')
        const [failed] = await jobs()
        assert.match(failed?.error ?? '', /NoSuchFacet/)
        const properties = await bench.readProperties(uid)
        assert.deepEqual([properties['dc:description'], properties['record_state:endDue']], [null, true])
        assert.equal((await bench.read(uid)).isUnderRetentionOrLegalHold, false)
        await server.asSystem(({ tx }) => tx.jobs.finish(failed?.id ?? ''))
      })
      test('is told once, however many servers look at the same time', async () => {
        const uid = await kept(await endingWith('describeEnd'))
        await bench.change(uid, { retainUntil: past })
        const events = await recorder.eventsOf(() => Promise.all([1, 2, 3, 4].map(() => expireRetentions(repository()))))
        assert.equal(events.filter(({ name }) => name === 'retentionExpired').length, 1)
        await untilIdle(server)
      })
    })

    test('leaves the record to be given another rule', async () => {
      const uid = await kept(await rule())
      await expire(uid)
      const other = await rule({ 'retention_def:durationYears': 7 })
      await attach(uid, other)
      const properties = await bench.readProperties(uid)
      assert.deepEqual([properties['record:ruleIds'], properties['record:retainUntil']], [[other], null])
    })

    describe('before its time', () => {
      const flexible = { 'retention_rule:flexibleRecords': true }
      const detach = (input: string, as = 'Administrator') =>
        operationsOn(server, as)('Document.UnattachRetentionRule', { input })
      test('is for records of a flexible rule: they stay records, and are given another rule', async () => {
        const uid = await kept(await rule(flexible))
        const events = await recorder.eventsOf(async () => requireStatus(200, await detach(uid)))
        assert.deepEqual(
          events.map(({ name }) => name).filter((name) => name.startsWith('after') || name.startsWith('retention')),
          ['afterUnsetRetention', 'retentionActiveChanged'],
        )
        const { isRecord, retainUntil, facets } = await bench.read(uid)
        assert.deepEqual([isRecord, retainUntil, facets.includes('Record')], [true, null, false])
        assert.equal((await attach(uid, await rule())).isUnderRetentionOrLegalHold, true)
      })
      test('takes a right of its own, which record managers have wherever they read', async () => {
        const uid = await kept(await rule(flexible))
        await bench.setAcls(uid, [{ name: 'local', aces: ['MakeRecord', 'SetRetention'].map((name) => grant('reader', name)) }])
        assertRefused(await detach(uid, 'reader'), 403, new RegExp(privilegeMissing('UnsetRetention', 'reader')))
        assertRefused(await detach(uid, 'keeper'), 403, /Read/)
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('reader', 'ManageRecord')] }])
        assert.equal((await detach(uid, 'reader')).status, 200)
      })
      test('is refused for other records, and for what has no rule', async () => {
        const uid = await kept(await rule())
        assertRefused(await detach(uid), 409, /cannot be taken back/)
        assertRefused(await detach(await file()), 409, /has no retention rule/)
        const retained = await file()
        await bench.run('Document.Retain', retained)
        assertRefused(await detach(retained), 409, /has no retention rule/)
      })
      test('is over for good once a legal hold was on the record', async () => {
        const uid = await kept(await rule(flexible))
        await bench.run('Document.Hold', uid)
        assertRefused(await detach(uid), 409, /cannot be taken back/)
        await bench.run('Document.Unhold', uid)
        assertRefused(await detach(uid), 409, /cannot be taken back/)
      })
    })
  },
  { plugins: [recorder.plugin, ends] },
)

onEachServer(
  'where records are kept strictly',
  (server) => {
    const bench = operationBenchOn(server)
    const { rule, attach } = retentionBenchOn(server, bench)
    test('no rule is taken back, be it a flexible one', async () => {
      const { uid } = await bench.make()
      await attach(uid, await rule({ 'retention_rule:flexibleRecords': true }))
      assertRefused(await bench.call('Document.UnattachRetentionRule', uid), 409, /keeps records strictly/)
    })
  },
  { settings: { retentionComplianceEnabled: true } },
)
