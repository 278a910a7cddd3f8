import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { operationBenchOn, uidsOf, unknownId } from '../support/operation-bench.ts'
import { operationsOn } from '../support/operations.ts'
import { retentionBenchOn } from '../support/retention-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder({ also: ['retentionRuleAttached', 'retentionActiveChanged'] })

onEachServer(
  'attaching retention rules',
  (server) => {
    const bench = operationBenchOn(server)
    const { rule, attach, logged } = retentionBenchOn(server, bench)
    before(async () => {
      await server.addUser('keeper', ['members', 'RecordManager'])
    })
    const file = async (): Promise<string> => (await bench.make()).uid
    const call = (input: unknown, kept: string, as = 'Administrator') =>
      operationsOn(server, as)('Retention.AttachRule', { input, params: { rule: kept } })

    describe('a rule that begins at once', () => {
      test('makes a record that is kept for its time, and the record remembers the rule', async () => {
        const [uid, kept] = [await file(), await rule({ 'retention_def:durationYears': 5 })]
        const year = new Date().getUTCFullYear()
        const attached = await attach(uid, kept)
        assert.equal(attached.isRecord, true)
        assert.equal(Number(attached.retainUntil.slice(0, 4)), year + 5)
        assert.ok(attached.facets.includes('Record'))
        const properties = await bench.readProperties(uid)
        assert.deepEqual(properties['record:ruleIds'], [kept])
        assert.deepEqual([properties['retention_def:durationYears'], properties['record:retainUntil']], [5, null])
        assertRefused(await bench.call('Document.Delete', uid), 409, /is under retention/)
        assertRefused(await bench.call('Document.Trash', uid), 409, /is under retention/)
      })
      test('is told with its path, in the name of who attached it, and written down', async () => {
        const [uid, kept] = [await file(), await rule()]
        const events = await recorder.eventsOf(() => attach(uid, kept, 'owner'))
        const told = readEvent(events, 'retentionRuleAttached')
        assert.deepEqual([told.document.id, told.principal.onBehalfOf], [uid, 'owner'])
        assert.match(told.comment ?? '', /^\/RetentionRules\//)
        assert.deepEqual(readEvent(events, 'retentionActiveChanged').properties, { retentionActive: true })
        assert.deepEqual(await logged(uid, 'retentionRuleAttached'), [['owner', told.comment]])
      })
      test('counts months to the end of shorter ones', async () => {
        const [uid, kept] = [
          await file(),
          await rule({
            'retention_def:durationYears': 0,
            'retention_def:startingPointPolicy': 'metadata_based',
            'retention_def:metadataXPath': 'dc:expired',
            'retention_def:durationMonths': 1,
          }),
        ]
        await bench.update(uid, { 'dc:expired': '2091-01-31T10:00:00.000Z' })
        assert.equal((await attach(uid, kept)).retainUntil, '2091-02-28T10:00:00.000Z')
      })
      test('takes lists, and one that is refused leaves all as they were', async () => {
        const [uids, kept] = [[await file(), await file()], await rule()]
        assert.deepEqual(uidsOf(requireStatus(200, await call(uids, kept))), uids)
        const others = [await file(), uids[0]]
        assert.equal((await call(others, kept)).status, 409)
        assert.equal((await bench.read(String(others[0]))).isRecord, false)
      })
      test('runs what is to be done at the beginning, as the server, once', async () => {
        const [uid, kept] = [await file(), await rule({ 'retention_def:beginActions': ['Document.Lock', 'Document.Lock'] })]
        await attach(uid, kept, 'owner')
        const row = await server.asSystem(({ tx }) => tx.documents.find(uid))
        assert.equal(row?.lock?.owner, 'owner')
      })
    })

    describe('what comes to the rule afterwards', () => {
      test('is nothing to the record: it is edited, disabled and removed', async () => {
        const [uid, kept] = [await file(), await rule({ 'retention_def:durationYears': 3 })]
        const { retainUntil } = await attach(uid, kept)
        await bench.update(kept, { 'retention_def:durationYears': 1, 'retention_rule:enabled': false })
        assert.equal((await bench.call('Document.Delete', kept)).status, 204)
        const { retainUntil: after } = await bench.read(uid)
        const properties = await bench.readProperties(uid)
        assert.deepEqual([after, properties['retention_def:durationYears']], [retainUntil, 3])
      })
      test('and to who reads the record without reading the rule', async () => {
        const [uid, kept] = [await file(), await rule()]
        await attach(uid, kept)
        await bench.restrict(kept)
        const { status, body } = await server.as('reader').get(`/id/${uid}`, { properties: '*', 'fetch.document': 'properties' })
        assert.equal(status, 200)
        assert.deepEqual(body.properties['record:ruleIds'], [kept])
      })
    })

    describe('copies and versions of a record', () => {
      test('have no rule', async () => {
        const [uid, kept] = [await file(), await rule()]
        await attach(uid, kept)
        const copy = await bench.run('Document.Copy', uid, { target: bench.shared.uid })
        const { version } = await bench.checkIn(uid)
        for (const other of [copy.uid, version.id]) {
          const { facets, retainUntil } = await bench.read(other)
          assert.deepEqual([facets.includes('Record'), retainUntil], [false, null])
        }
      })
      test('through a proxy the document itself becomes the record', async () => {
        const [uid, kept, folder] = [await file(), await rule(), (await bench.make('Folder')).uid]
        const proxy = await bench.createProxy(folder, uid)
        assert.equal((await attach(proxy, kept)).uid, proxy)
        assert.equal((await bench.read(uid)).isUnderRetentionOrLegalHold, true)
      })
    })

    describe('the rights', () => {
      test('of record managers reach as far as they may read', async () => {
        const [uid, kept] = [await file(), await rule()]
        assertRefused(await call(uid, kept, 'keeper'), 403, /Privilege 'Read'/)
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('keeper', 'Read')] }])
        assert.equal((await attach(uid, kept, 'keeper')).isRecord, true)
      })
      test('of others are both to make records and to retain them', async () => {
        const [uid, kept] = [await file(), await rule()]
        assertRefused(await call(uid, kept, 'writer'), 403, new RegExp(privilegeMissing('MakeRecord', 'writer')))
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('reader', 'MakeRecord')] }])
        assertRefused(await call(uid, kept, 'reader'), 403, new RegExp(privilegeMissing('SetRetention', 'reader')))
        assert.equal((await bench.read(uid)).isRecord, false)
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('reader', 'ManageRecord')] }])
        assert.equal((await attach(uid, kept, 'reader')).isRecord, true)
      })
      test('do not help with a rule that cannot be read', async () => {
        const [uid, kept] = [await file(), await rule()]
        await bench.restrict(kept)
        assert.equal((await call(uid, kept, 'owner')).status, 403)
        assert.equal((await call(uid, unknownId, 'owner')).status, 404)
      })
    })

    describe('the enricher retention', () => {
      const told = async (uid: string, as: string) => {
        const { body } = await server.as(as).get(`/id/${uid}`, { 'enrichers.document': 'retention' })
        return body.contextParameters.retention
      }
      test('tells the rule, and who may attach one or take it back', async () => {
        const [uid, kept] = [await file(), await rule({ 'retention_rule:flexibleRecords': true })]
        const nobody = { rule: null, mayAttach: false, mayDetach: false }
        assert.deepEqual(await told(uid, 'Administrator'), { ...nobody, mayAttach: true })
        assert.deepEqual(await told(uid, 'reader'), nobody)
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('keeper', 'Read'), grant('reader', 'MakeRecord')] }])
        assert.deepEqual(await told(uid, 'keeper'), { ...nobody, mayAttach: true })
        assert.deepEqual(await told(uid, 'reader'), nobody)
        await attach(uid, kept)
        const known = { rule: { id: kept, title: 'a rule' }, mayAttach: false, mayDetach: false }
        assert.deepEqual(await told(uid, 'keeper'), { ...known, mayDetach: true })
        assert.deepEqual(await told(uid, 'reader'), known)
        await bench.restrict(kept)
        assert.deepEqual((await told(uid, 'reader')).rule, { id: kept, title: null })
      })
      test('offers no way back where none was promised, and nothing for versions and rules', async () => {
        const [uid, kept] = [await file(), await rule()]
        const { version } = await bench.checkIn(uid)
        await attach(uid, kept)
        assert.equal((await told(uid, 'Administrator')).mayDetach, false)
        for (const other of [version.id, kept]) assert.equal((await told(other, 'Administrator')).mayAttach, false)
      })
      test('looks through a proxy', async () => {
        const [uid, kept, folder] = [await file(), await rule(), (await bench.make('Folder')).uid]
        const proxy = await bench.createProxy(folder, uid)
        assert.equal((await told(proxy, 'Administrator')).mayAttach, true)
        await attach(proxy, kept)
        assert.deepEqual(await told(proxy, 'Administrator'), {
          rule: { id: kept, title: 'a rule' },
          mayAttach: false,
          mayDetach: false,
        })
      })
    })

    describe('it is refused', () => {
      const refusals: [sentence: string, status: number, message: RegExp, prepare: () => Promise<[string, string]>][] = [
        ['for what is no rule', 400, /is no retention rule/, async () => [await file(), await file()]],
        ['for a disabled rule', 409, /is disabled/, async () => [await file(), await rule({ 'retention_rule:enabled': false })]],
        [
          'for a rule in the trash',
          409,
          /is in the trash/,
          async () => {
            const kept = await rule()
            await bench.run('Document.Trash', kept)
            return [await file(), kept]
          },
        ],
        [
          'for a version of a rule',
          400,
          /is no retention rule/,
          async () => [await file(), (await bench.checkIn(await rule())).version.id],
        ],
        [
          'for an automatic rule',
          400,
          /is attached automatically/,
          async () => [
            await file(),
            await rule({ 'retention_rule:applicationPolicy': 'auto', 'retention_rule:docTypes': ['Note'] }),
          ],
        ],
        [
          'for a type that the rule does not name',
          400,
          /does not accept documents of the type File/,
          async () => [await file(), await rule({ 'retention_rule:docTypes': ['Note'] })],
        ],
        [
          'for a folder, unless the rule names its type',
          400,
          /does not accept documents of the type Folder/,
          async () => [(await bench.make('Folder')).uid, await rule()],
        ],
        [
          'for another rule',
          400,
          /does not accept documents of the type RetentionRule/,
          async () => [await rule(), await rule()],
        ],
        [
          'for a version',
          400,
          /is a version and cannot become a record/,
          async () => [(await bench.checkIn(await file())).version.id, await rule()],
        ],
        [
          'for what is retained already',
          409,
          /already under retention or legal hold/,
          async () => {
            const uid = await file()
            await bench.run('Document.Retain', uid)
            return [uid, await rule()]
          },
        ],
        [
          'for what is on hold',
          409,
          /already under retention or legal hold/,
          async () => {
            const uid = await file()
            await bench.run('Document.Hold', uid)
            return [uid, await rule()]
          },
        ],
      ]
      for (const [sentence, status, message, prepare] of refusals) {
        test(sentence, async () => {
          const [uid, kept] = await prepare()
          assertRefused(await call(uid, kept), status, message)
        })
      }
      test('to the second of two who attach at once', async () => {
        const [uid, one, other] = [await file(), await rule(), await rule()]
        const answers = await Promise.all([call(uid, one), call(uid, other), call(uid, one)])
        assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
      })
    })

    test('a folder that the rule names is kept as such', async () => {
      const [{ uid }, kept] = [await bench.make('Folder'), await rule({ 'retention_rule:docTypes': ['Folder'] })]
      await attach(uid, kept)
      assert.equal((await bench.call('Document.Delete', uid)).status, 409)
    })

    describe('what a record remembers of its rule', () => {
      const changes: [sentence: string, properties: object][] = [
        ['which rule', { 'record:ruleIds': [] }],
        ['how long', { 'retention_def:durationYears': 0 }],
        ['what is done at the end', { 'retention_def:endActions': ['Document.Delete'] }],
        ['that it can be taken back', { 'record_state:flexible': true }],
      ]
      for (const [sentence, properties] of changes) {
        test(`is written by nobody, not even administrators: ${sentence}`, async () => {
          const [uid, kept] = [await file(), await rule()]
          await attach(uid, kept)
          const body = { 'entity-type': 'document', properties }
          for (const user of ['Administrator', 'owner'])
            assertRefused(await server.as(user).put(`/id/${uid}`, body), 403, /written by the server alone/)
        })
      }
      test('is not taken away with the facet', async () => {
        const [uid, kept] = [await file(), await rule()]
        await attach(uid, kept)
        assertRefused(await bench.call('Document.RemoveFacet', uid, { facet: 'Record' }), 403, /written by the server alone/)
        const { uid: other } = await bench.make()
        assertRefused(await bench.call('Document.AddFacet', other, { facet: 'Record' }), 403, /written by the server alone/)
        assert.equal((await bench.call('Document.AddFacet', other, { facet: 'Record' }, { as: 'owner' })).status, 403)
      })
      test('keeps nobody from describing the record', async () => {
        const [uid, kept] = [await file(), await rule()]
        await attach(uid, kept)
        const body = { 'entity-type': 'document', properties: { 'dc:title': 'anew' } }
        assert.equal((await server.as('writer').put(`/id/${uid}`, body)).status, 200)
      })
    })

    describe('all that a search finds', () => {
      test('is given a rule by a bulk action, with the rights of who asked', async () => {
        const folder = (await bench.make('Folder')).uid
        const uids = [
          await bench.make('File', {}, { parent: (await bench.read(folder)).path }),
          await bench.make('File', {}, { parent: (await bench.read(folder)).path }),
        ]
        const kept = await rule()
        const status = await retentionBenchOn(server, bench).runBulk(
          'attachRetentionRule',
          `ecm:parentId = '${folder}'`,
          { ruleId: kept },
          'owner',
        )
        assert.deepEqual([status.processed, status.errorCount], [2, 0])
        for (const { uid } of uids) assert.equal((await bench.read(uid)).isUnderRetentionOrLegalHold, true)
        const refused = await retentionBenchOn(server, bench).runBulk(
          'attachRetentionRule',
          `ecm:parentId = '${folder}'`,
          { ruleId: kept },
          'writer',
        )
        assert.equal(refused.errorCount, 2)
      })
      test('is held and let go by bulk actions', async () => {
        const uid = await file()
        const { runBulk } = retentionBenchOn(server, bench)
        await runBulk('holdDocumentsAction', `ecm:uuid = '${uid}'`, { description: 'the trial' }, 'owner')
        assert.equal((await bench.read(uid)).hasLegalHold, true)
        await runBulk('unholdDocumentsAction', `ecm:uuid = '${uid}'`, {}, 'owner')
        assert.equal((await bench.read(uid)).hasLegalHold, false)
      })
      test('needs to be told which rule', async () => {
        const params = { action: 'attachRetentionRule', query: 'SELECT * FROM File', parameters: '{"ruleId":5}' }
        assertRefused(await bench.call('Bulk.RunAction', undefined, params), 400, /ruleId of the action must be a text/)
      })
    })
  },
  { plugins: [recorder.plugin] },
)
