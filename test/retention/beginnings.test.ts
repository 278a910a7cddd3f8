import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { operationBenchOn } from '../support/operation-bench.ts'
import { operationsOn } from '../support/operations.ts'
import { retentionBenchOn } from '../support/retention-bench.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

const indeterminate = '9999-01-01T00:00:00.000Z'
const day = 86_400_000

onEachServer('the beginning of retention by a rule', (server) => {
  const bench = operationBenchOn(server)
  const { rule, attach, waitUntilOver } = retentionBenchOn(server, bench)
  const file = async (properties = {}): Promise<string> => (await bench.make('File', properties)).uid
  const retainUntil = async (uid: string): Promise<string | null> => (await bench.read(uid)).retainUntil
  const fire = (
    name: string,
    { input, as = 'Administrator', ...params }: { input?: unknown; as?: string; audit?: boolean } = {},
  ) => operationsOn(server, as)('Retention.FireEvent', { params: { name, ...params }, ...(input !== undefined && { input }) })
  const fired = async (name: string, options = {}) => {
    const answer = await fire(name, options)
    assert.equal(answer.status, 204, answer.text)
    await untilIdle(server)
  }
  const daysFromNow = (moment: string | null) => Math.round((Date.parse(String(moment)) - Date.now()) / day)

  before(async () => {
    await server.addUser('keeper', ['members', 'RecordManager'])
    // Nobody else moves what is kept.
    await server.addUser('cleaner', ['administrators', 'PlatformRecordCleaners'])
    for (const id of ['Retention.ContractEnd', 'Retention.Other', 'Retention.Old']) {
      const properties = { id, label: id, obsolete: id === 'Retention.Old' ? 1 : 0, ordering: 1 }
      const body = { 'entity-type': 'directoryEntry', directoryName: 'RetentionEvent', properties }
      requireStatus(201, await server.as('Administrator').post('/directory/RetentionEvent', body))
    }
  })
  const byEvent = (properties = {}) =>
    rule({
      'retention_def:startingPointPolicy': 'event_based',
      'retention_def:startingPointEvent': 'Retention.ContractEnd',
      'retention_def:durationYears': 0,
      'retention_def:durationDays': 10,
      ...properties,
    })

  describe('after a delay', () => {
    test('is counted from the end of the delay, and the record is kept from the beginning', async () => {
      const kept = await rule({
        'retention_def:startingPointPolicy': 'after_delay',
        'retention_def:startingPointValue': 'P30D',
        'retention_def:durationYears': 0,
        'retention_def:durationDays': 10,
      })
      assert.equal(daysFromNow((await attach(await file(), kept)).retainUntil), 40)
    })
  })

  describe('with an event that is fired', () => {
    test('comes for all records that wait for it, and for no other ones', async () => {
      const [one, other, waiting] = [await file(), await file(), await file()]
      const kept = await byEvent()
      assert.equal((await attach(one, kept)).retainUntil, indeterminate)
      await attach(other, kept)
      await attach(waiting, await byEvent({ 'retention_def:startingPointEvent': 'Retention.Other' }))
      await fired('Retention.ContractEnd')
      assert.deepEqual([daysFromNow(await retainUntil(one)), daysFromNow(await retainUntil(other))], [10, 10])
      assert.equal(await retainUntil(waiting), indeterminate)
    })
    test('is counted once: a second event changes nothing', async () => {
      const uid = await file()
      await attach(uid, await byEvent())
      await fired('Retention.ContractEnd')
      const until = await retainUntil(uid)
      await fired('Retention.ContractEnd')
      assert.equal(await retainUntil(uid), until)
    })
    test('asks for the value that the rule names', async () => {
      const uid = await file()
      await attach(uid, await byEvent({ 'retention_def:startingPointValue': 'contract 7' }))
      await fired('Retention.ContractEnd')
      await fired('Retention.ContractEnd', { input: 'contract 8' })
      assert.equal(await retainUntil(uid), indeterminate)
      await fired('Retention.ContractEnd', { input: 'contract 7' })
      assert.equal(daysFromNow(await retainUntil(uid)), 10)
    })
    test('or for what has to hold of the document', async () => {
      const expression = 'document.getTitle().equals(eventInput)'
      const kept = await byEvent({ 'retention_def:startingPointExpression': expression })
      const [ours, theirs] = [await file({ 'dc:title': 'ours' }), await file({ 'dc:title': 'theirs' })]
      for (const uid of [ours, theirs]) await attach(uid, kept)
      await fired('Retention.ContractEnd', { input: 'ours' })
      assert.deepEqual([daysFromNow(await retainUntil(ours)), await retainUntil(theirs)], [10, indeterminate])
    })
    test('is kept waiting by an expression that fails, and keeps no other record waiting', async () => {
      const hostile = [
        'Document.nothing.at.all',
        'Session.getDocument("/RetentionRules").title == "Retention Rules"',
        '"x" + 1',
        'Document["dc:title"].replace("", Document["dc:title"])',
      ]
      const waiting = []
      for (const expression of hostile) {
        const uid = await file()
        await attach(uid, await byEvent({ 'retention_def:startingPointExpression': expression }))
        waiting.push(uid)
      }
      const uid = await file()
      await attach(uid, await byEvent())
      await fired('Retention.ContractEnd', { input: 'anything' })
      for (const one of waiting) assert.equal(await retainUntil(one), indeterminate)
      assert.equal(daysFromNow(await retainUntil(uid)), 10)
    })
    test('is nothing to a record that was given its rule afterwards', async () => {
      const uid = await file()
      const answer = await fire('Retention.ContractEnd')
      assert.equal(answer.status, 204)
      await attach(uid, await byEvent())
      await untilIdle(server)
      assert.equal(await retainUntil(uid), indeterminate)
    })
    test('is nothing to a record that somebody retained until a date meanwhile', async () => {
      const uid = await file()
      await attach(uid, await byEvent())
      await bench.run('Document.Retain', uid, { until: '2090-01-01T00:00:00.000Z' })
      await fired('Retention.ContractEnd')
      assert.equal(await retainUntil(uid), '2090-01-01T00:00:00.000Z')
    })
    test('leaves nobody less than they were promised before the record was retained indefinitely', async () => {
      const uid = await file()
      await attach(uid, await byEvent())
      await bench.run('Document.Retain', uid, { until: '2090-01-01T00:00:00.000Z' })
      await bench.run('Document.Retain', uid)
      await fired('Retention.ContractEnd')
      assert.equal(await retainUntil(uid), '2090-01-01T00:00:00.000Z')
    })
    test('ends retention soon where it is over before anybody came to it', async () => {
      const uid = await file()
      await attach(uid, await byEvent({ 'retention_def:durationDays': 0, 'retention_def:durationMillis': 1 }))
      await fired('Retention.ContractEnd')
      await waitUntilOver(new Date().toISOString())
      const { isRecord, isUnderRetentionOrLegalHold } = await bench.read(uid)
      assert.deepEqual([isRecord, isUnderRetentionOrLegalHold], [true, false])
    })
    test('does not heed what became of the rule', async () => {
      const [uid, kept] = [await file(), await byEvent()]
      await attach(uid, kept)
      assert.equal((await bench.call('Document.Delete', kept)).status, 204)
      await fired('Retention.ContractEnd')
      assert.equal(daysFromNow(await retainUntil(uid)), 10)
    })
    test('comes for more records than are looked at in one go', async () => {
      const kept = await byEvent({ 'retention_def:startingPointEvent': 'Retention.Other' })
      const uids = await Promise.all(Array.from({ length: 230 }, () => file()))
      const params = { rule: kept }
      requireStatus(200, await operationsOn(server)('Retention.AttachRule', { input: uids, params }))
      await fired('Retention.Other')
      const rows = await server.asSystem(({ tx }) => tx.documents.findAll(uids))
      assert.deepEqual(new Set(rows.map((row) => daysFromNow(row.retainUntil))), new Set([10]))
    })
  })

  describe('firing an event', () => {
    test('is for record managers, and written down with what was put in', async () => {
      assertRefused(await fire('Retention.ContractEnd', { as: 'owner' }), 403, /members of the group RecordManager/)
      await fired('Retention.ContractEnd', { as: 'keeper', input: 'case-1' })
      await fired('Retention.ContractEnd', { as: 'keeper', input: 'case-2', audit: false })
      const { body } = await server
        .as('Administrator')
        .get('/search/pp/AUDIT_BROWSER/execute?eventCategory=Retention&pageSize=100')
      const told = body.entries.filter(({ principalName }: Answered) => principalName === 'keeper')
      assert.deepEqual(
        told.map(({ eventId, category, comment }: Answered) => [eventId, category, comment]),
        [['Retention.ContractEnd', 'Retention', 'case-1']],
      )
    })
    const refusals: [sentence: string, name: string, input: string | undefined, message: RegExp][] = [
      ['of which nobody knows', 'Retention.Nothing', undefined, /There is no retention event/],
      ['that is obsolete', 'Retention.Old', undefined, /There is no retention event/],
      ['without a name', '  ', undefined, /There is no retention event/],
      ['that happens to documents by itself', 'documentModified', undefined, /happens to documents by itself/],
      ['with a name as long as a book', 'x'.repeat(10_000), undefined, /at most 200/],
      ['with an input as long as a book', 'Retention.ContractEnd', 'x'.repeat(10_000), /at most 1000/],
      ['with an input that is a query', 'Retention.ContractEnd', "' OR 1=1", /is made of letters/],
    ]
    for (const [sentence, name, input, message] of refusals) {
      test(`is refused ${sentence}`, async () => assertRefused(await fire(name, { input }), 400, message))
    }
  })

  describe('with what happens to the record itself', () => {
    const move = async (input: string, target: string) =>
      requireStatus(200, await operationsOn(server, 'cleaner')('Document.Move', { input, params: { target } }))
    test('comes when it is moved, if what is asked of it holds', async () => {
      const archive = await bench.make('Folder', {}, { name: `archive-${Date.now()}` })
      const kept = await byEvent({
        'retention_def:startingPointEvent': 'documentMoved',
        'retention_def:startingPointExpression': `document.getPathAsString().startsWith('${archive.path}')`,
      })
      const uid = await file()
      await attach(uid, kept)
      const elsewhere = await bench.make('Folder')
      await move(uid, elsewhere.uid)
      await untilIdle(server)
      assert.equal(await retainUntil(uid), indeterminate)
      await move(uid, archive.uid)
      await untilIdle(server)
      assert.equal(daysFromNow(await retainUntil(uid)), 10)
    })
    test('comes when it is changed, and not by the attaching itself', async () => {
      const uid = await file()
      await attach(uid, await byEvent({ 'retention_def:startingPointEvent': 'documentModified' }))
      await untilIdle(server)
      assert.equal(await retainUntil(uid), indeterminate)
      await bench.update(uid, { 'dc:title': 'changed' })
      await untilIdle(server)
      assert.equal(daysFromNow(await retainUntil(uid)), 10)
    })
  })

  describe('with a date of the document', () => {
    const byDate = (properties = {}) =>
      rule({
        'retention_def:startingPointPolicy': 'metadata_based',
        'retention_def:metadataXPath': 'dc:expired',
        'retention_def:durationYears': 2,
        ...properties,
      })
    test('is counted from that date', async () => {
      const uid = await file({ 'dc:expired': '2088-02-29T08:00:00.000Z' })
      assert.equal((await attach(uid, await byDate())).retainUntil, '2090-02-28T08:00:00.000Z')
    })
    test('may be the date itself', async () => {
      const uid = await file({ 'dc:expired': '2088-02-29T08:00:00.000Z' })
      assert.equal(
        (await attach(uid, await byDate({ 'retention_def:durationYears': 0 }))).retainUntil,
        '2088-02-29T08:00:00.000Z',
      )
    })
    test('has not come without a date, or is over with one of long ago; the document is a record all the same', async () => {
      for (const properties of [{}, { 'dc:expired': '2001-01-01T00:00:00.000Z' }]) {
        const attached = await attach(await file(properties), await byDate())
        assert.deepEqual([attached.isRecord, attached.retainUntil], [true, null])
      }
    })
    test('comes once there is a date, and follows it to later ones', async () => {
      const uid = await file()
      await attach(uid, await byDate())
      await bench.update(uid, { 'dc:expired': '2090-01-01T00:00:00.000Z' })
      assert.equal(await retainUntil(uid), '2092-01-01T00:00:00.000Z')
      await bench.update(uid, { 'dc:expired': '2095-01-01T00:00:00.000Z' })
      assert.equal(await retainUntil(uid), '2097-01-01T00:00:00.000Z')
    })
    test('is told by the answer to the write that brings it', async () => {
      const uid = await file()
      await attach(uid, await byDate())
      const properties = { 'dc:expired': '2090-01-01T00:00:00.000Z' }
      const put = requireStatus(200, await server.as('writer').put(`/id/${uid}`, { 'entity-type': 'document', properties }))
      const later = { 'dc:expired': '2095-01-01T00:00:00.000Z' }
      const updated = requireStatus(
        200,
        await operationsOn(server, 'writer')('Document.Update', { input: uid, params: { properties: later } }),
      )
      assert.deepEqual(
        [put, updated].map((one) => [one.retainUntil, one.isUnderRetentionOrLegalHold]),
        [
          ['2092-01-01T00:00:00.000Z', true],
          ['2097-01-01T00:00:00.000Z', true],
        ],
      )
      assert.equal(updated.changeToken, (await bench.read(uid)).changeToken)
    })
    test('is not shortened by an earlier date, nor taken back with it', async () => {
      const uid = await file({ 'dc:expired': '2090-01-01T00:00:00.000Z' })
      await attach(uid, await byDate())
      for (const date of ['2080-01-01T00:00:00.000Z', '2001-01-01T00:00:00.000Z', null]) {
        await bench.update(uid, { 'dc:expired': date })
        assert.equal(await retainUntil(uid), '2092-01-01T00:00:00.000Z')
      }
    })
    test('follows what a writer changes who may not retain anything', async () => {
      const uid = await file()
      await attach(uid, await byDate())
      const body = { 'entity-type': 'document', properties: { 'dc:expired': '2090-01-01T00:00:00.000Z' } }
      assert.equal((await server.as('writer').put(`/id/${uid}`, body)).status, 200)
      assert.equal(await retainUntil(uid), '2092-01-01T00:00:00.000Z')
    })
  })
})
