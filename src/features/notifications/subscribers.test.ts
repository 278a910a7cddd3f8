import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  addedWith,
  concernsOthers,
  type Subscribers,
  storedSubscribers,
  subscribersOn,
  withoutSubscriber,
  withSubscriber,
} from './subscribers.ts'

const names = fc.constantFrom('Modification', 'Creation', 'CommentAdded')
const people = fc.constantFrom('user:ann', 'user:bob', 'group:staff')
const anySubscribers: fc.Arbitrary<Subscribers> = fc
  .dictionary(names, fc.uniqueArray(people, { minLength: 1 }))
  .map((lists) => new Map(Object.entries(lists)))
const stored = (subscribers: Subscribers) => ({ properties: { 'notif:notifications': storedSubscribers(subscribers) } })
const sorted = (subscribers: Subscribers) => [...subscribers].map(([name, all]) => [name, [...all].sort()]).sort()

describe('subscribers of a document', () => {
  test('are read as they are stored', () => {
    fc.assert(fc.property(anySubscribers, (one) => assert.deepEqual(sorted(subscribersOn(stored(one))), sorted(one))))
  })

  test('are there once however often they subscribe, and gone when they unsubscribe', () => {
    fc.assert(
      fc.property(anySubscribers, people, fc.uniqueArray(names, { minLength: 1 }), (before, who, wanted) => {
        const after = withSubscriber(withSubscriber(before, who, wanted), who, wanted)
        for (const name of wanted) assert.equal(after.get(name)?.filter((one) => one === who).length, 1)
        const gone = withoutSubscriber(after, who, undefined)
        assert.ok([...gone.values()].every((all) => !all.includes(who) && all.length > 0))
      }),
    )
  })

  test('never change others', () => {
    fc.assert(
      fc.property(anySubscribers, people, fc.array(names), (before, who, wanted) => {
        assert.equal(concernsOthers(before, withSubscriber(before, who, wanted), who), false)
        assert.equal(concernsOthers(before, withoutSubscriber(before, who, wanted), who), false)
      }),
    )
    const before = new Map([['Creation', ['user:ann']]])
    assert.equal(concernsOthers(before, withSubscriber(before, 'group:staff', ['Creation']), 'user:ann'), true)
    assert.equal(concernsOthers(before, new Map(), 'user:bob'), true)
  })

  test('are new by what they had not subscribed to before, and groups are no users', () => {
    const before: Subscribers = new Map([['Creation', ['user:ann', 'user:bob']]])
    const after: Subscribers = new Map([
      ['Creation', ['user:ann', 'user:eve', 'user:eve', 'group:staff']],
      ['Modification', ['user:ann', 'user:eve']],
    ])
    assert.deepEqual(
      [...addedWith('user:', before, after)],
      [
        ['eve', ['Creation', 'Modification']],
        ['ann', ['Modification']],
      ],
    )
    assert.deepEqual([...addedWith('group:', before, after)], [['staff', ['Creation']]])
    assert.deepEqual([...addedWith('user:', after, after)], [])
  })
})
