import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLifecycle, lifecycles } from './builtin/lifecycles.ts'
import { allowedTransitions, planTransition, transitionNotAllowed } from './lifecycle.ts'

describe('following a transition', () => {
  test('leads to its destination from a state that allows it', () => {
    assert.equal(planTransition(defaultLifecycle, 'project', 'approve'), 'approved')
    assert.equal(planTransition(defaultLifecycle, 'approved', 'backToProject'), 'project')
  })

  const refused: [string, string][] = [
    ['approved', 'approve'],
    ['project', 'fly'],
    ['nowhere', 'approve'],
    ['project', 'constructor'],
    ['constructor', 'approve'],
  ]
  for (const [state, transition] of refused) {
    test(`is refused for ${transition} from ${state}`, () => {
      assert.throws(() => planTransition(defaultLifecycle, state, transition), {
        code: transitionNotAllowed.code,
        kind: 'conflict',
        message: `Not allowed to follow transition ${transition} from state ${state}`,
      })
    })
  }

  test('is refused for a type without lifecycle, which allows nothing', () => {
    assert.deepEqual(allowedTransitions(undefined, 'undefined'), [])
    assert.throws(() => planTransition(undefined, 'undefined', 'approve'), transitionNotAllowed.is)
  })
})

test('every allowed transition of every built-in lifecycle leads to a state of it', () => {
  for (const lifecycle of lifecycles) {
    for (const state of Object.keys(lifecycle.states)) {
      for (const transition of allowedTransitions(lifecycle, state)) {
        assert.ok(
          Object.hasOwn(lifecycle.states, planTransition(lifecycle, state, transition)),
          `${lifecycle.name} ${transition}`,
        )
      }
    }
  }
})
