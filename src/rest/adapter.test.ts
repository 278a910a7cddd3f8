import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Adapter, type AdapterPlace, findMethodsAt } from './adapter.ts'

const methods = (name: string): AdapterPlace['methods'] => ({
  GET: { summary: name, answers: {}, handle: () => Promise.reject(new Error(name)) },
})

const adapter: Adapter = {
  name: 'comment',
  summary: 'comments',
  accepts: ['document'],
  methods: methods('all'),
  below: [
    { tail: 'external/{entityId+}', methods: methods('external') },
    { tail: '{commentId}', methods: methods('one') },
  ],
}

test('an address below an adapter leads to the first of its places that fits, and to none otherwise', () => {
  const at = (...tail: readonly string[]) => findMethodsAt(adapter, tail)?.GET?.summary
  assert.equal(at(), 'all')
  assert.equal(at('c1'), 'one')
  assert.equal(at('external'), 'one')
  assert.equal(at('external', 'e1'), 'external')
  assert.equal(at('external', 'http:', 'x', 'y'), 'external')
  assert.equal(at('c1', 'c2'), undefined)
})

test('an adapter without places takes whatever follows it', () => {
  const { below: _, ...any } = adapter
  assert.equal(findMethodsAt(any, ['a', 'b'])?.GET?.summary, 'all')
  const { methods: __, ...none } = any
  assert.deepEqual(findMethodsAt(none, []), {})
})
