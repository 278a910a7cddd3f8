import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { silentLog } from '../../base/log.ts'
import type { Store } from '../../store/store.ts'
import { createRateExchange, keepExchanging } from './rate-exchange.ts'
import { createRateLimit } from './rate-limit.ts'

const now = () => '2031-01-01T00:00:00.000Z'

/** A process that counts, as far as the exchange is concerned. */
function aProcess(store: Pick<Store, 'transact'>, perSecond = 1) {
  const clock = { now: 0 }
  const exchange = createRateExchange({ store, now })
  const user = createRateLimit({
    who: 'You',
    perSecond,
    setting: 'user-rate-limit',
    now: () => clock.now,
    onTaken: (key) => exchange.note('user', key),
  })
  const isTaken = (key = 'ann') => {
    try {
      user?.take(key)
      return true
    } catch {
      return false
    }
  }
  return { clock, isTaken, round: () => exchange.exchange({ user, address: undefined }) }
}

onEachEngine('processes on one database that tell each other whom they have answered', (engine) => {
  test('count what others have answered from the next round on, and nobody else’s', async () => {
    const store = await engine.openStore()
    const [one, other] = [aProcess(store), aProcess(store)]
    // Somebody is there already, so that both look at each other.
    for (const each of [one, other]) assert.ok(each.isTaken('zoe'))
    for (const each of [one, other, one]) await each.round()
    for (let request = 0; request < 6; request++) assert.ok(one.isTaken())
    assert.ok(other.isTaken())
    for (const each of [one, other]) await each.round()
    const taken = Array.from({ length: 10 }, () => other.isTaken()).filter(Boolean).length
    assert.equal(taken, 10 - 6 - 1)
    assert.equal(other.isTaken('bob'), true)
    // What was told is counted once.
    other.clock.now += 1_000
    for (const each of [one, other]) await each.round()
    assert.deepEqual([other.isTaken(), other.isTaken()], [true, false])
  })

  test('let somebody have in the long run what the limit says, however many processes they ask', async () => {
    const store = await engine.openStore()
    const processes = Array.from({ length: 4 }, () => aProcess(store, 2))
    let taken = 0
    const seconds = 60
    for (let second = 0; second < seconds; second++) {
      for (const each of processes) for (let request = 0; request < 5; request++) if (each.isTaken()) taken += 1
      for (const each of processes) await each.round()
      for (const each of processes) each.clock.now += 1_000
    }
    const burstOfEach = 20
    assert.ok(taken <= 2 * seconds + processes.length * burstOfEach, `${taken} in all`)
    assert.ok(taken >= 2 * seconds, `${taken} in all`)
  })

  test('do not count against somebody who comes what others answered before', async () => {
    const store = await engine.openStore()
    const [one, other] = [aProcess(store), aProcess(store)]
    for (let request = 0; request < 10; request++) assert.ok(one.isTaken())
    await one.round()
    assert.ok(other.isTaken())
    await other.round()
    await other.round()
    assert.equal(Array.from({ length: 9 }, () => other.isTaken()).filter(Boolean).length, 9)
  })

  test('write nothing while nobody asks them', async () => {
    const store = await engine.openStore()
    let transactions = 0
    const counting: Pick<Store, 'transact'> = {
      transact: (body) => {
        transactions += 1
        return store.transact(body)
      },
    }
    const idle = aProcess(counting)
    for (let round = 0; round < 5; round++) await idle.round()
    assert.equal(transactions, 0)
    idle.isTaken()
    for (let round = 0; round < 40; round++) await idle.round()
    assert.ok(transactions > 0 && transactions <= 31, `${transactions}`)
  })
})

describe('an exchange that fails', () => {
  test('is told once, and tried again', async () => {
    const lines: number[] = []
    let tries = 0
    const failing = {
      note() {},
      exchange: async () => {
        tries += 1
        throw new Error('no database')
      },
    }
    const log = { ...silentLog, warn: () => void lines.push(1) }
    const end = keepExchanging(failing, {}, { milliseconds: 5, log })
    while (tries < 3) await new Promise((resolve) => setTimeout(resolve, 5))
    await end()
    assert.equal(lines.length, 1)
  })
})
