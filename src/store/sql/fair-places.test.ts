import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import fc from 'fast-check'
import { createFairPlaces } from './fair-places.ts'
import { deadlineIn, noDeadline } from './transact.ts'

/** Takes places for owners, and tells in which order they were let in. */
function aHouse(places: number, perOwner?: number) {
  const fair = createFairPlaces(places, perOwner)
  const inside: { owner: string | undefined; leave: () => void }[] = []
  const order: (string | undefined)[] = []
  const want = (owner: string | undefined) =>
    void fair.take(owner, noDeadline).then((leave) => {
      inside.push({ owner, leave })
      order.push(owner)
    })
  const leave = async (index = 0) => {
    inside.splice(index, 1)[0]?.leave()
    await settled()
  }
  return { fair, inside, order, want, leave }
}

describe('places that people share', () => {
  test('go to each in turn, however many somebody wants', async () => {
    const { order, want, leave } = aHouse(1)
    for (const owner of ['ann', 'ann', 'ann', 'bob', 'cid', 'bob']) want(owner)
    await settled()
    for (let left = 0; left < 5; left++) await leave()
    assert.deepEqual(order, ['ann', 'bob', 'cid', 'ann', 'bob', 'ann'])
  })

  test('are not all somebody’s where each may have so many', async () => {
    const { order, want, leave, fair } = aHouse(3, 2)
    for (const owner of ['ann', 'ann', 'ann', undefined, undefined]) want(owner)
    await settled()
    assert.deepEqual([order, fair.waiting], [['ann', 'ann', undefined], 2])
    await leave(2)
    assert.deepEqual(order.slice(3), [undefined])
    await leave(0)
    assert.deepEqual([order.slice(4), fair.waiting], [['ann'], 0])
  })

  test('are not lost with those who give up waiting', async () => {
    const { fair, want, leave, order } = aHouse(1)
    want('ann')
    await settled()
    await assert.rejects(
      fair.take(
        'bob',
        deadlineIn(0.01, () => new Error('late')),
      ),
      /late/,
    )
    want('cid')
    await leave()
    assert.deepEqual([order, fair.waiting], [['ann', 'cid'], 0])
  })

  test('are never more than there are, and never idle while somebody may have one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3 }),
        fc.array(fc.oneof(fc.constantFrom('ann', 'bob', 'cid'), fc.nat(3)), { maxLength: 60 }),
        async (places, perOwner, steps) => {
          const { inside, order, want, leave, fair } = aHouse(places, perOwner)
          let wanted = 0
          for (const step of steps) {
            if (typeof step === 'number') await leave(step)
            else {
              want(step)
              wanted += 1
            }
            await settled()
            assert.ok(inside.length <= places)
            assert.equal(wanted - order.length, fair.waiting)
            const most = perOwner === 0 ? places : perOwner
            for (const name of ['ann', 'bob', 'cid'])
              assert.ok(inside.filter(({ owner }) => owner === name).length <= Math.min(most, places))
            if (perOwner === 0 && fair.waiting > 0) assert.equal(inside.length, places)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
