import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { systemAccess } from '../../src/core/access.ts'
import type { Repository } from '../../src/core/session.ts'
import { keepDelivering } from '../../src/features/outbox/delivery/keep-delivering.ts'
import { beginDelivery, findDelivery, takeLease } from '../../src/features/outbox/delivery/stored-deliveries.ts'
import { deliverEvents } from '../../src/features/outbox/delivery/stream.ts'
import type { DeliveryMessage, DeliveryOutcome, DeliveryTarget } from '../../src/features/outbox/delivery/target.ts'
import { eventually } from '../support/notification-receiver.ts'
import { onEachServer } from '../support/servers.ts'

const taken: DeliveryOutcome = { kind: 'delivered' }
const rules = { firstPauseMilliseconds: 1, longestPauseMilliseconds: 5, attemptMilliseconds: 1_000 }

interface Recorder extends DeliveryTarget {
  readonly sent: DeliveryMessage[]
}

function recorder(
  reader: string,
  answer: (message: DeliveryMessage) => DeliveryOutcome,
  more: Partial<DeliveryTarget> = {},
): Recorder {
  const sent: DeliveryMessage[] = []
  return {
    sent,
    reader,
    address: 'receiver',
    version: '1',
    events: [reader],
    retrySeconds: 60,
    isConcerned: async () => true,
    async send(message) {
      sent.push(message)
      return answer(message)
    },
    close() {},
    ...more,
  }
}

onEachServer('delivery', (server) => {
  const repository = (): Repository => {
    const found = server.services.repositories.get('default')
    assert.ok(found)
    return found
  }
  const append = (event: string, count = 1) =>
    systemAccess(repository()).write(async ({ tx }) => {
      for (let row = 0; row < count; row += 1)
        await tx.tables.run(sql`
          INSERT INTO outbox_events (event, event_date, principal_name, is_quiet, comment)
          VALUES (${event}, ${Date.now()}, ${'nobody'}, ${0}, ${String(row)})`)
    })
  const begin = (target: DeliveryTarget, owner: string) =>
    systemAccess(repository()).write(async ({ tx }) => {
      await beginDelivery(tx.tables, target.reader)
      assert.ok(await takeLease(tx.tables, { reader: target.reader, owner: null, beat: 0 }, owner))
    })
  const stateOf = async ({ reader }: DeliveryTarget) => {
    const state = await findDelivery(repository().store.reader.tables, reader)
    assert.ok(state)
    return state
  }
  const comments = ({ sent }: Recorder) => sent.map(({ json }) => Number(JSON.parse(json).comment))

  test('goes on where another process has noted that it was', async () => {
    const end = new AbortController()
    const target: Recorder = recorder('resumed', () => {
      if (target.sent.length === 60) end.abort()
      return taken
    })
    await begin(target, 'one')
    await append('resumed', 130)
    const first = deliverEvents({ repository: repository(), target, owner: 'one', signal: end.signal, rules })
    await first
    const { position } = await stateOf(target)
    const count = target.sent.length
    const other = new AbortController()
    const second = deliverEvents({ repository: repository(), target, owner: 'one', signal: other.signal, rules })
    await eventually(() => comments(target).includes(129), 'the last was sent')
    other.abort()
    await second
    assert.ok((await stateOf(target)).position > position)
    const ids = target.sent.map(({ id }) => id)
    assert.equal(new Set(ids).size, 130)
    assert.ok(ids.length <= 131, `${ids.length - 130} were sent twice after ${count}`)
    assert.equal((await stateOf(target)).delivered, ids.length)
  })

  test('ends, and moves nothing, once another process delivers', async () => {
    const target = recorder('stolen', () => taken)
    await begin(target, 'one')
    const { position } = await stateOf(target)
    await systemAccess(repository()).write(({ tx }) => takeLease(tx.tables, { reader: 'stolen', owner: 'one', beat: 1 }, 'other'))
    await append('stolen', 3)
    const { signal } = new AbortController()
    await deliverEvents({ repository: repository(), target, owner: 'one', signal, rules })
    assert.equal((await stateOf(target)).position, position)
  })

  test('sends what was given up with the full state, until that is taken', async () => {
    let isUp = false
    const answer = ({ isFullState }: DeliveryMessage): DeliveryOutcome => {
      if (isFullState) return isUp ? taken : { kind: 'unavailable', error: 'down' }
      return { kind: 'refused', error: 'no' }
    }
    const target = recorder('state', answer, { resendSeconds: 0.05, retrySeconds: 0.02 })
    await begin(target, 'one')
    await append('state', 2)
    const end = new AbortController()
    const delivering = deliverEvents({ repository: repository(), target, owner: 'one', signal: end.signal, rules })
    const states = () => target.sent.filter(({ isFullState }) => isFullState).map(({ json }) => JSON.parse(json).length)
    await eventually(() => states().includes(2), 'both are in a state')
    isUp = true
    const before = states().length
    await eventually(() => states().slice(before).includes(0), 'nothing is left')
    end.abort()
    await delivering
    const { failed, delivered } = await stateOf(target)
    assert.deepEqual([failed, delivered], [2, 0])
  })

  test('tries again, and says so, when a transport throws', async () => {
    let attempts = 0
    const target = recorder('throwing', () => {
      attempts += 1
      if (attempts < 4) throw new Error(`attempt ${attempts}`)
      return taken
    })
    await begin(target, 'one')
    await append('throwing')
    const end = new AbortController()
    const delivering = deliverEvents({ repository: repository(), target, owner: 'one', signal: end.signal, rules })
    await eventually(async () => (await stateOf(target)).delivered === 1, 'it was taken')
    end.abort()
    await delivering
    const { attempts: shown, lastError } = await stateOf(target)
    assert.deepEqual(
      shown.map(({ outcome }) => outcome),
      ['unavailable', 'unavailable', 'unavailable', 'delivered'],
    )
    assert.equal(lastError, 'attempt 3')
  })

  test('holds no more than a page of many events in memory', async () => {
    let waiting = 0
    const isConcerned = async () => {
      waiting += 1
      return true
    }
    const target = recorder('many', () => taken, { isConcerned })
    await begin(target, 'one')
    await append('many', 500)
    const end = new AbortController()
    let most = 0
    const gate = {
      ...target,
      send: async (message: DeliveryMessage) => {
        target.sent.push(message)
        most = Math.max(most, waiting - target.sent.length)
        return taken
      },
    }
    const delivering = deliverEvents({ repository: repository(), target: gate, owner: 'one', signal: end.signal, rules })
    await eventually(() => target.sent.length >= 500, 'all were sent')
    end.abort()
    await delivering
    assert.ok(most <= 1, String(most))
    assert.deepEqual(
      comments(target),
      Array.from({ length: 500 }, (_, index) => index),
    )
  })

  describe('by several processes', () => {
    test('is done by one at a time, and taken over from one that is silent', async () => {
      const targets = [recorder('kept', () => taken), recorder('kept', () => taken)]
      const source = (target: Recorder) => ({ prefix: 'kept', list: async () => [target] })
      const ends = [new AbortController(), new AbortController()]
      const options = { leaseMilliseconds: 600 }
      // A process that has died: it took the lease and says nothing.
      const dead = recorder('kept', () => taken)
      await begin(dead, 'dead')
      await append('kept', 3)
      const running = targets.map((target, index) =>
        keepDelivering(server.services, source(target), options, ends[index]?.signal ?? AbortSignal.abort()),
      )
      const all = () => targets.flatMap(comments)
      await eventually(() => all().length >= 3, 'somebody took over')
      assert.deepEqual(all(), [0, 1, 2])
      // It hands over when it ends.
      const active = targets.findIndex(({ sent }) => sent.length > 0)
      ends[active]?.abort()
      await running[active]
      await append('kept', 2)
      await eventually(() => (targets[1 - active]?.sent.length ?? 0) >= 2, 'the other goes on')
      await pause(50)
      assert.deepEqual(all().toSorted(), [0, 0, 1, 1, 2])
      for (const end of ends) end.abort()
      await Promise.all(running)
    })
    test('drops what waits for a target that is gone', async () => {
      let targets = [recorder('gone', () => ({ kind: 'unavailable', error: 'down' }))]
      const end = new AbortController()
      const source = { prefix: 'gone', list: async () => targets }
      const running = keepDelivering(server.services, source, { leaseMilliseconds: 300 }, end.signal)
      const find = () => findDelivery(repository().store.reader.tables, 'gone')
      await eventually(async () => (await find()) !== undefined, 'it began')
      targets = []
      await eventually(async () => (await find()) === undefined, 'it is gone')
      end.abort()
      await running
    })
  })
})
