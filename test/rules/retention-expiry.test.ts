import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type Log, silentLog } from '../../src/base/log.ts'
import { makeRecord } from '../../src/core/documents/records/make-record.ts'
import { expireRetentions } from '../../src/core/documents/records/record-expiry.ts'
import { setRetention } from '../../src/core/documents/records/set-retention.ts'
import type { Repository } from '../../src/core/session.ts'
import { retentionSchedule } from '../../src/features/records/retention-expiry.ts'
import { createEventRecorder, until } from '../support/event-recorder.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const failures: { readonly event: string; readonly document?: unknown }[] = []
const log: Log = { ...silentLog, error: (fields) => failures.push(fields) }
const past = '2001-01-01T00:00:00.000Z'

onEachServer(
  'the end of retention',
  (server) => {
    const bench = workbenchOn(server)
    let repository: Repository
    before(() => {
      const found = server.services.repositories.get('default')
      assert.ok(found)
      repository = found
    })
    beforeEach(async () => {
      await expireRetentions(repository)
      failures.length = 0
    })
    const createRecord = async (retainUntil: string): Promise<string> => {
      const { uid } = await bench.create('File')
      await server.asSystem((session) => makeRecord(session, uid))
      await bench.change(uid, { retainUntil })
      return uid
    }
    const toldOf = async (act: () => Promise<unknown>) =>
      (await recorder.eventsOf(act)).map(({ name, document, properties }) => [name, document.id, properties])

    describe('17 is told by retentionExpired', () => {
      test('once, for every record whose date has passed and for no other, with the date', async () => {
        const [over, other, kept] = [
          await createRecord(past),
          await createRecord('2002-01-01T00:00:00.000Z'),
          await createRecord('2090-01-01T00:00:00.000Z'),
        ]
        assert.deepEqual(await toldOf(() => expireRetentions(repository)), [
          ['retentionExpired', over, { retainUntil: past }],
          ['retentionExpired', other, { retainUntil: '2002-01-01T00:00:00.000Z' }],
        ])
        assert.deepEqual(await toldOf(() => expireRetentions(repository)), [])
        const shown = await Promise.all([over, kept].map((id) => bench.read(id)))
        assert.deepEqual(
          shown.map(({ isRecord, retainUntil }) => [isRecord, retainUntil]),
          [
            [true, null],
            [true, '2090-01-01T00:00:00.000Z'],
          ],
        )
      })
      test('once, however many servers look at the same time', async () => {
        const id = await createRecord(past)
        const told = await toldOf(() => Promise.all(Array.from({ length: 8 }, () => expireRetentions(repository))))
        assert.deepEqual(told, [['retentionExpired', id, { retainUntil: past }]])
      })
      test('for more records than are looked at in one go', async () => {
        const ids = await Promise.all(Array.from({ length: 105 }, () => createRecord(past)))
        const told = await toldOf(() => expireRetentions(repository))
        assert.deepEqual(new Set(told.map(([, id]) => id)), new Set(ids))
        assert.equal(told.length, ids.length)
      })
      test('later where a listener fails, which is logged and keeps no other record back', async () => {
        const [first, second] = [await createRecord('2001-01-01T00:00:00.000Z'), await createRecord('2001-01-02T00:00:00.000Z')]
        const told = await recorder.failingAt('retentionExpired', new Error('broken'), () =>
          toldOf(() => expireRetentions(repository)),
        )
        assert.deepEqual(
          told.map(([, id]) => id),
          [first, second],
        )
        assert.deepEqual(
          failures.map(({ event, document }) => [event, document]),
          [
            ['retention.notExpired', first],
            ['retention.notExpired', second],
          ],
        )
        assert.equal((await bench.read(first)).retainUntil, past)
        assert.equal((await toldOf(() => expireRetentions(repository))).length, 2)
      })
    })

    describe('17 is looked for every so often', () => {
      const look = () => server.asSystem((session) => retentionSchedule.run(session))
      test('and done soon by a job', async () => {
        const id = await createRecord(past)
        const told = toldOf(async () => {
          await look()
          await until(() => recorder.recorded.some(({ name }) => name === 'retentionExpired'))
        })
        assert.deepEqual(await told, [['retentionExpired', id, { retainUntil: past }]])
      })
      test('without a job where none ended', async () => {
        await server.asSystem(async (session) => {
          const jobs = async () => (await session.tx.jobs.list({ kind: 'expireRetentions' }, 10)).map(({ id }) => id)
          const before = new Set(await jobs())
          await retentionSchedule.run(session)
          assert.deepEqual(new Set(await jobs()).difference(before), new Set())
        })
      })
    })

    test('17 leaves a legal hold as it is', async () => {
      const id = await createRecord(past)
      await bench.change(id, { hasLegalHold: true })
      await expireRetentions(repository)
      const { retainUntil, hasLegalHold, isUnderRetentionOrLegalHold } = await bench.read(id)
      assert.deepEqual([retainUntil, hasLegalHold, isUnderRetentionOrLegalHold], [null, true, true])
    })
    test('17 lets a record be retained anew', async () => {
      const id = await createRecord(past)
      await expireRetentions(repository)
      await server.asSystem((session) => setRetention(session, id, '2090-01-01'))
      assert.equal((await bench.read(id)).isUnderRetentionOrLegalHold, true)
    })
  },
  { plugins: [recorder.plugin], log },
)
