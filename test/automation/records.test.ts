import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { operationBenchOn, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const recorder = createEventRecorder()
const indeterminate = '9999-01-01T00:00:00.000Z'

onEachServer(
  '2.17 hold and retention',
  (server) => {
    const bench = operationBenchOn(server)
    const file = async (): Promise<string> => (await bench.make()).uid
    const inYears = (years: number) => new Date(Date.UTC(new Date().getUTCFullYear() + years, 0)).toISOString()
    const refusalOfWriter = async (permission: string) => ({
      as: 'writer' as const,
      input: await file(),
      status: 403,
      message: privilegeMissing(permission, 'writer'),
    })

    describe('Document.Hold', () => {
      test('keeps the document from being removed or trashed by anybody', async () => {
        const uid = await file()
        const { hasLegalHold, isUnderRetentionOrLegalHold } = await bench.run('Document.Hold', uid, {}, { as: 'owner' })
        assert.deepEqual([hasLegalHold, isUnderRetentionOrLegalHold], [true, true])
        for (const operation of ['Document.Delete', 'Document.Trash']) {
          assertRefused(
            await bench.call(operation, uid),
            409,
            `${prefixOf(operation)}Cannot remove ${uid}, it is under retention / hold`,
          )
        }
      })
      test('says why in the log', async () => {
        const uid = await file()
        const events = await recorder.eventsOf(() => bench.run('Document.Hold', uid, { description: 'the trial' }))
        assert.equal(readEvent(events, 'afterSetLegalHold').comment, 'the trial')
      })
      test('takes lists, and what is held already stays so', async () => {
        const uids = [await file(), await file()]
        for (const _ of [1, 2]) assert.deepEqual(uidsOf(await bench.run('Document.Hold', uids)), uids)
        for (const uid of uids) assert.equal((await bench.read(uid)).hasLegalHold, true)
      })
      test('is for who has been given just that right', async () => {
        const uid = await file()
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('reader', 'ManageLegalHold')] }])
        assert.equal((await bench.run('Document.Hold', uid, {}, { as: 'reader' })).hasLegalHold, true)
      })
      refusalsOf(bench, 'Document.Hold', {
        'to a writer, who may not hold': () => refusalOfWriter('ManageLegalHold'),
        'for an unknown document': { input: unknownId, status: 404, message: unknownId },
      })
    })

    describe('Document.Unhold', () => {
      test('ends the hold', async () => {
        const uid = await file()
        await bench.run('Document.Hold', uid)
        assert.equal((await bench.run('Document.Unhold', uid, {}, { as: 'owner' })).hasLegalHold, false)
        assert.equal((await bench.call('Document.Delete', uid)).status, 204)
      })
      test('of what is not held does nothing, also in a list', async () => {
        const uids = [await file(), await file()]
        assert.deepEqual(uidsOf(await bench.run('Document.Unhold', uids)), uids)
      })
      refusalsOf(bench, 'Document.Unhold', {
        'to a writer, who may not hold': () => refusalOfWriter('ManageLegalHold'),
        'for an unknown document': { input: unknownId, status: 404, message: unknownId },
      })
    })

    describe('Document.Retain', () => {
      const retain = (input: unknown, params: object = {}) => bench.run('Document.Retain', input, params, { as: 'owner' })
      test('makes the document a record and keeps it until the date', async () => {
        const [uid, until] = [await file(), inYears(5)]
        const { isRecord, retainUntil } = await retain(uid, { until })
        assert.deepEqual([isRecord, retainUntil], [true, until])
        assert.equal((await bench.call('Document.Delete', uid)).status, 409)
      })
      test('without a date keeps it until a later call says one', async () => {
        const [uid, until] = [await file(), inYears(1)]
        assert.equal((await retain(uid)).retainUntil, indeterminate)
        assert.equal((await retain(uid, { until })).retainUntil, until)
      })
      test('again keeps it longer', async () => {
        const uid = await file()
        await retain(uid, { until: inYears(1) })
        assert.equal((await retain(uid, { until: inYears(2) })).retainUntil, inYears(2))
      })
      test('takes lists', async () => {
        const uids = [await file(), await file()]
        assert.deepEqual(uidsOf(await retain(uids, { until: inYears(1) })), uids)
      })
      test('keeps the main file of the record as it is, and nothing else', async () => {
        const uid = await file()
        await retain(uid, { until: inYears(1) })
        const update = (properties: object) => bench.call('Document.Update', uid, { properties }, { as: 'writer' })
        assertRefused(await update({ 'file:content': { data: 'other', name: 'a.txt' } }), 403, /main file of record/)
        assert.equal((await update({ 'dc:title': 'described anew' })).status, 200)
      })
      refusalsOf(bench, 'Document.Retain', {
        'with 409 for an earlier date': async () => {
          const uid = await file()
          await retain(uid, { until: inYears(2) })
          const message = `${uid} is retained until ${inYears(2)}. Retention can be extended, not shortened.`
          return { input: uid, params: { until: inYears(1) }, status: 409, message }
        },
        'for a date that is over': async () => ({
          input: await file(),
          params: { until: '2001-01-01T00:00:00Z' },
          status: 400,
          message: /retained until a date that is yet to come/,
        }),
        'for what is no date': async () => ({
          input: await file(),
          params: { until: 'soon' },
          status: 400,
          message: /Parameter 'until' must be of type date/,
        }),
        'to a writer, who may not make records': () => refusalOfWriter('MakeRecord'),
        'to who may make records but not retain them': async () => {
          const uid = await file()
          await bench.setAcls(uid, [{ name: 'local', aces: [grant('reader', 'MakeRecord')] }])
          return { as: 'reader', input: uid, status: 403, message: privilegeMissing('SetRetention', 'reader') }
        },
        'for a version': async () => ({
          input: (await bench.checkIn(await file())).version.id,
          status: 400,
          message: /is a version and cannot become a record/,
        }),
        'for an unknown document': { input: unknownId, status: 404, message: unknownId },
      })
      test('that is refused leaves no record behind', async () => {
        const uid = await file()
        await bench.call('Document.Retain', uid, { until: '2001-01-01T00:00:00Z' })
        assert.equal((await bench.read(uid)).isRecord, false)
      })
    })
  },
  { plugins: [recorder.plugin] },
)

function prefixOf(operation: string): string {
  return `Failed to invoke operation: ${operation}, Failed to invoke operation ${operation}, `
}
