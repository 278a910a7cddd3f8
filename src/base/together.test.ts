import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { together } from './together.ts'

function recorded() {
  const loads: (readonly string[])[] = []
  const wish = together(async (wishes: readonly string[]) => {
    loads.push(wishes)
    await new Promise((resolve) => setImmediate(resolve))
    return wishes.join('+')
  })
  return { loads, wish }
}

describe('wishes that are loaded together', () => {
  test('are those of the same time', async () => {
    const { loads, wish } = recorded()
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(wish)), ['a+b+c', 'a+b+c', 'a+b+c'])
    assert.equal(await wish('d'), 'd')
    assert.deepEqual(loads, [['a', 'b', 'c'], ['d']])
  })

  test('are those of all who waited for the same thing before', async () => {
    const { loads, wish } = recorded()
    const before = new Promise((resolve) => setImmediate(resolve))
    await Promise.all(['a', 'b', 'c'].map((name) => before.then(() => wish(name))))
    assert.deepEqual(loads, [['a', 'b', 'c']])
  })

  test('are never those that came when loading had begun', async () => {
    const { loads, wish } = recorded()
    const early = wish('early')
    await Promise.resolve()
    await Promise.resolve()
    assert.deepEqual(loads, [['early']])
    assert.equal(await wish('late'), 'late')
    assert.equal(await early, 'early')
  })

  test('fail together, and the next are not held up by it', async () => {
    let failures = 1
    const wish = together(async (wishes: readonly string[]) => {
      if (failures-- > 0) throw new Error('no connection')
      return wishes.length
    })
    const settled = await Promise.allSettled(['a', 'b'].map(wish))
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(await wish('c'), 1)
  })
})
