import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Chain } from '../chain.ts'
import { defineOperation, type Effect, type Operation } from '../operation.ts'
import { createRegistry } from '../registry.ts'
import type { InputWord, OutputWord } from '../values/words.ts'
import { effectOf, flowKinds, kindAfter, planOf, suitableMethods } from './plan.ts'

type Pair = readonly [input: InputWord, output: OutputWord]

function anOperation(id: string, pairs: readonly Pair[], effect: Effect = 'reads'): Operation {
  return defineOperation({
    id,
    category: 'Test',
    description: '',
    effect,
    params: {},
    run: ({ on }) => pairs.map(([input, output]) => on(input, output, () => undefined as never)),
  })
}

function planned(operations: readonly Operation[], chains: readonly Chain[], id: string) {
  const registry = createRegistry(operations, chains)
  return { registry, plan: planOf(registry, registry.read(id)) }
}

const chainOf = (id: string, ...operations: readonly string[]): Chain => ({
  id,
  steps: operations.map((operation) => ({ operation })),
})

describe('the plan of a call', () => {
  test('has the operations of a chain and of the chains in it, in their order', () => {
    const operations = ['A', 'B', 'C'].map((id) => anOperation(id, [['void', 'void']]))
    const { plan } = planned(operations, [chainOf('outer', 'A', 'inner', 'B'), chainOf('inner', 'C', 'A')], 'outer')
    assert.deepEqual(
      plan.operations.map(({ id }) => id),
      ['A', 'C', 'A', 'B'],
    )
  })

  test('knows that a value leads to the end only by some of the methods on the way', () => {
    const choice = anOperation('choice', [
      ['document', 'string'],
      ['document', 'blob'],
    ])
    const taker = anOperation('taker', [['blob', 'blob']])
    const { plan } = planned([choice, taker], [chainOf('c', 'choice', 'taker')], 'c')
    assert.equal(plan.leadsOn(0, 'document'), true)
    assert.equal(plan.leadsOn(1, 'string'), false)
    assert.equal(plan.leadsOn(1, 'blob'), true)
    assert.equal(plan.leadsOn(0, 'nothing'), false)
  })

  test('knows the ways that trying them all finds', () => {
    const words: readonly InputWord[] = ['void', 'document', 'documents', 'blob', 'bloblist', 'string', 'object']
    const given: readonly OutputWord[] = ['void', 'document', 'documents', 'blob', 'bloblist', 'string', 'object', 'map', 'list']
    const pair = fc.tuple(fc.constantFrom(...words), fc.constantFrom(...given))
    const tables = fc.array(fc.array(pair, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(tables, fc.constantFrom(...flowKinds), (pairs, kind) => {
        const operations = pairs.map((methods, index) => anOperation(`o${index}`, methods as readonly Pair[]))
        const { plan } = planned(operations, [chainOf('c', ...operations.map(({ id }) => id))], 'c')
        const canRun = (index: number, given: (typeof flowKinds)[number]): boolean => {
          const operation = operations[index]
          if (operation === undefined) return true
          return suitableMethods(operation.methods, given).some((method) => canRun(index + 1, kindAfter(method, given)))
        }
        assert.equal(plan.leadsOn(0, kind), canRun(0, kind))
      }),
    )
  })

  test('of a long chain without a way is found at once', () => {
    const fork = anOperation('fork', [
      ['string', 'string'],
      ['object', 'string'],
      ['string', 'map'],
      ['object', 'map'],
    ])
    const end = anOperation('end', [['paginable', 'void']])
    const steps = Array.from({ length: 200 }, () => 'fork')
    const { plan } = planned([fork, end], [chainOf('c', ...steps, 'end')], 'c')
    assert.equal(plan.leadsOn(0, 'boolean'), false)
  })

  test('is made once for each operation and chain', () => {
    const { registry, plan } = planned([anOperation('A', [['void', 'void']])], [chainOf('c', 'A')], 'c')
    assert.equal(planOf(registry, registry.read('Chain.c')), plan)
  })
})

describe('what a call needs of its environment', () => {
  const operations = [
    anOperation('reads', [['void', 'void']]),
    anOperation('writes', [['void', 'void']], 'writes'),
    anOperation('waits', [['void', 'void']], 'waits'),
  ]
  const effectFor = (...chains: readonly [Chain, ...Chain[]]) => {
    const { registry, plan } = planned(operations, chains, chains[0].id)
    return effectOf(registry, plan.root)
  }

  test('is what its operations ask for, those of inner chains included', () => {
    assert.equal(effectFor(chainOf('c', 'reads')), 'reads')
    assert.equal(effectFor(chainOf('c', 'reads', 'waits')), 'waits')
    assert.equal(effectFor(chainOf('c', 'waits', 'inner'), chainOf('inner', 'writes')), 'writes')
  })

  test('is a transaction where a chain writes only after it has failed', () => {
    assert.equal(effectFor({ ...chainOf('c', 'reads'), catches: [{ chain: 'd' }] }, chainOf('d', 'writes')), 'writes')
  })

  test('is a transaction where a chain asks for a number that is given once', () => {
    const numbered = { operation: 'reads', params: { value: ['expr:"no " + Fn.getNextId("x")'] } }
    assert.equal(effectFor({ id: 'c', steps: [numbered] }), 'writes')
  })

  test('is a transaction where a chain that may be undone waits', () => {
    assert.equal(effectFor({ ...chainOf('c', 'waits'), catches: [{ chain: 'd' }] }, chainOf('d', 'reads')), 'writes')
  })
})
