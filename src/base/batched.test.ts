import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { batched } from './batched.ts'

function recorded() {
  const loads: (readonly string[])[] = []
  const load = batched(async (keys: readonly string[]) => {
    loads.push(keys)
    await new Promise((resolve) => setImmediate(resolve))
    return keys.join('+')
  })
  return { loads, wish: load }
}

describe('calls that are batched', () => {
  test('are those of the same time', async () => {
    const { loads, wish: load } = recorded()
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(load)), ['a+b+c', 'a+b+c', 'a+b+c'])
    assert.equal(await load('d'), 'd')
    assert.deepEqual(loads, [['a', 'b', 'c'], ['d']])
  })

  test('are those of all callers that waited for the same thing before', async () => {
    const { loads, wish: load } = recorded()
    const before = new Promise((resolve) => setImmediate(resolve))
    await Promise.all(['a', 'b', 'c'].map((name) => before.then(() => load(name))))
    assert.deepEqual(loads, [['a', 'b', 'c']])
  })

  test('are never those that came when loading had begun', async () => {
    const { loads, wish: load } = recorded()
    const early = load('early')
    await Promise.resolve()
    await Promise.resolve()
    assert.deepEqual(loads, [['early']])
    assert.equal(await load('late'), 'late')
    assert.equal(await early, 'early')
  })

  test('fail together, and the next are not held up by it', async () => {
    let failures = 1
    const load = batched(async (keys: readonly string[]) => {
      if (failures-- > 0) throw new Error('no connection')
      return keys.length
    })
    const settled = await Promise.allSettled(['a', 'b'].map(load))
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(await load('c'), 1)
  })
})
