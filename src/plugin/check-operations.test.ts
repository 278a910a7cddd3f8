import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Chain } from '../automation/chain.ts'
import { defineOperation } from '../automation/operation.ts'
import { requireSoundOperations } from './check-operations.ts'
import { definePlugin } from './define-plugin.ts'

const anOperation = (id: string, ...aliases: readonly string[]) =>
  defineOperation({
    id,
    aliases,
    category: 'Test',
    description: '',
    effect: 'reads',
    params: {},
    run: ({ on }) => [on('void', 'void', () => undefined)],
  })
const aChain = (id: string, ...operations: readonly string[]): Chain => ({
  id,
  steps: operations.map((operation) => ({ operation })),
})

describe('operations are refused at start', () => {
  const mistakes: [what: string, plugin: Parameters<typeof definePlugin>[0], message: string][] = [
    [
      'whose id is an alias of another',
      { name: 'p', operations: [anOperation('A', 'B'), anOperation('B')] },
      'plugin p: the name B of B belongs to A already',
    ],
    [
      'of which two have the same alias',
      { name: 'p', operations: [anOperation('A', 'C'), anOperation('B', 'C')] },
      'plugin p: the name C of B belongs to A already',
    ],
    [
      'when a chain has the id of one',
      { name: 'p', operations: [anOperation('A')], chains: [aChain('A')] },
      'plugin p: the name A of A belongs to A already',
    ],
    [
      'that take an address of the endpoint',
      { name: 'p', operations: [anOperation('login')] },
      'plugin p: the name login of login belongs to the command endpoint already',
    ],
    [
      'that a chain runs and no plugin has',
      { name: 'p', chains: [aChain('c', 'X')] },
      'plugin p: chain c step 1 runs X, which does not exist',
    ],
    [
      'that a chain runs when it fails and no plugin has',
      { name: 'p', chains: [{ ...aChain('c'), catches: [{ chain: 'X' }] }] },
      'plugin p: chain c runs X when it fails, which does not exist',
    ],
    ['when a chain runs itself', { name: 'p', chains: [aChain('c', 'c')] }, 'plugin p: chain c runs itself: c → c'],
    [
      'when a chain runs itself after it has failed',
      { name: 'p', chains: [{ ...aChain('c'), catches: [{ chain: 'd' }] }, aChain('d', 'c')] },
      'plugin p: chain c runs itself: c → d → c',
    ],
    [
      'when a chain has an expression that cannot be read',
      {
        name: 'p',
        operations: [anOperation('A')],
        chains: [{ id: 'c', steps: [{ operation: 'A' }, { operation: 'A', params: { list: ['expr:1 +'] } }] }],
      },
      'plugin p: chain c step 2, A: The expression 1 + is wrong at column 4: something is missing',
    ],
    [
      'when a chain tells by a wrong expression which failures it catches',
      { name: 'p', chains: [{ ...aChain('c'), catches: [{ chain: 'd', filter: 'a b' }] }, aChain('d')] },
      'plugin p: chain c catches by a filter: The expression a b is wrong at column 3: nothing should follow here',
    ],
    [
      'whose name looks like that of a chain',
      { name: 'p', operations: [anOperation('Chain.A')] },
      'plugin p: the name Chain.A of Chain.A cannot begin with Chain., which is taken away when it is looked up',
    ],
    [
      'whose name no address can hold',
      { name: 'p', chains: [aChain('a/b')] },
      'plugin p: the name a/b of a/b must have at least one character and no slash',
    ],
    [
      'when chains run each other in a circle',
      { name: 'p', chains: [aChain('a', 'b'), aChain('b', 'c'), aChain('c', 'a')] },
      'plugin p: chain a runs itself: a → b → c → a',
    ],
  ]
  for (const [what, plugin, message] of mistakes) {
    test(what, () => assert.throws(() => requireSoundOperations([definePlugin(plugin)]), { code: 'pluginMistake', message }))
  }
})

test('operations of several plugins and chains of chains are sound', () => {
  requireSoundOperations([
    definePlugin({ name: 'p', operations: [anOperation('A', 'B')], chains: [aChain('c', 'A', 'd', 'd'), aChain('d', 'B', 'e')] }),
    definePlugin({ name: 'q', operations: [anOperation('C')], chains: [aChain('e')] }),
  ])
})
