import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'

interface Wish {
  readonly user?: string
  readonly isBackground?: boolean
}

/** Has wishes wait, and gives places back one after the other. */
function aQueue(...wishes: readonly Wish[]) {
  const queue = createFairQueue()
  const add = (wish: Wish) => queue.add({ wish, start() {}, refuse() {} })
  for (const wish of wishes) add(wish)
  const served: (Wish | undefined)[] = []
  const serve = (count: number) => {
    for (let turn = 0; turn < count; turn++) {
      const next = queue.next()
      served.push(next?.wish as Wish | undefined)
      if (next !== undefined) queue.leave(next.wish)
    }
    return served
  }
  return { queue, add, serve }
}

const of = (user: string, count: number, isBackground = false): readonly Wish[] =>
  Array.from({ length: count }, () => ({ user, isBackground }))
const usersIn = (served: readonly (Wish | undefined)[]) => served.map((wish) => wish?.user)

describe('those who wait for a place', () => {
  test('have it in turn, however many more one of them waits for', () => {
    const { serve } = aQueue(...of('greedy', 5), ...of('ann', 1), ...of('zoe', 2))
    assert.deepEqual(usersIn(serve(8)), ['greedy', 'ann', 'zoe', 'greedy', 'zoe', 'greedy', 'greedy', 'greedy'])
  })

  test('have it before those who have more places already', () => {
    const { queue } = aQueue(...of('greedy', 1), ...of('ann', 1))
    for (const wish of of('greedy', 2)) queue.place(wish)
    assert.equal(queue.next()?.wish.user, 'ann')
  })

  test('go before the background, which has its turn nevertheless', () => {
    const { serve } = aQueue(...of('later', 3, true), ...of('now', 30))
    const served = usersIn(serve(21))
    assert.equal(served.filter((user) => user === 'later').length, 2)
    assert.equal(served.indexOf('later'), 9)
  })

  test('leave nothing behind when they give up', () => {
    const { queue } = aQueue()
    const entry = { wish: { user: 'ann' }, start() {}, refuse() {} }
    queue.add(entry)
    assert.equal(queue.countOf('ann'), 1)
    assert.deepEqual([queue.remove(entry), queue.remove(entry)], [true, false])
    assert.deepEqual([queue.countOf('ann'), queue.waiting, queue.next()], [0, 0, undefined])
  })

  test('are counted with what they have, the background left out', () => {
    const { queue, serve } = aQueue(...of('ann', 2), ...of('ann', 2, true))
    queue.place({ user: 'ann' })
    assert.equal(queue.countOf('ann'), 3)
    queue.leave({ user: 'ann' })
    serve(4)
    assert.equal(queue.countOf('ann'), 0)
  })
})
