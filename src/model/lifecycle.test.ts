import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinContributions } from '../../test/support/model/builtin-model.ts'
import { defaultLifecycle } from './builtin/lifecycles.ts'
import { allowedTransitions, mayBeginIn, planTransition, transitionNotAllowed } from './lifecycle.ts'

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

describe('beginning in a state', () => {
  const begins: [state: string, expected: boolean][] = [
    ['project', true],
    ['approved', true],
    ['deleted', false],
    ['nowhere', false],
    ['constructor', false],
  ]
  for (const [state, expected] of begins) {
    test(`is ${expected ? 'possible' : 'refused'} for ${state}`, () =>
      assert.equal(mayBeginIn(defaultLifecycle, state), expected))
  }

  test('is possible for one to which the trash led too, or nothing at all', () => {
    const transitions = { delete: 'gone', close: 'gone' }
    const own = { name: 'own', initial: 'open', states: { open: ['close', 'delete'], gone: [], apart: [] }, transitions }
    assert.ok(mayBeginIn(own, 'gone') && mayBeginIn(own, 'apart'))
    assert.ok(mayBeginIn({ ...own, initial: 'gone', transitions: { delete: 'gone' } }, 'gone'))
  })
})

test('every allowed transition of every built-in lifecycle leads to a state of it', () => {
  for (const lifecycle of builtinContributions.lifecycles) {
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

/** As the contract writes it: each state with what it allows, then where the transitions lead. */
const policies: { readonly [name: string]: { readonly initial: string; readonly states: object; readonly leads: object } } = {
  default: {
    initial: 'project',
    states: {
      project: ['approve', 'obsolete', 'delete'],
      approved: ['delete', 'backToProject'],
      obsolete: ['delete', 'backToProject'],
      deleted: ['undelete'],
    },
    leads: { approve: 'approved', obsolete: 'obsolete', delete: 'deleted', undelete: 'project', backToProject: 'project' },
  },
  comment_moderation: {
    initial: 'moderation_pending',
    states: {
      moderation_pending: ['moderation_publish', 'moderation_reject'],
      moderation_published: [],
      moderation_rejected: [],
    },
    leads: { moderation_publish: 'moderation_published', moderation_reject: 'moderation_rejected' },
  },
  task: {
    initial: 'opened',
    states: { opened: ['end', 'cancel'], ended: [], cancelled: [] },
    leads: { end: 'ended', cancel: 'cancelled' },
  },
  documentRouteElement: {
    initial: 'draft',
    states: {
      draft: ['toValidated'],
      validated: ['toReady', 'toDraft'],
      ready: ['toRunning', 'toWaiting', 'toSuspended', 'toCanceled', 'toDraft'],
      running: ['toDone', 'backToReady', 'toCanceled', 'toDraft'],
      done: ['backToReady', 'toCanceled', 'toDraft'],
      waiting: ['toReady', 'toSuspended', 'toCanceled', 'toDraft'],
      suspended: ['toReady', 'toWaiting', 'toCanceled', 'toDraft'],
      canceled: ['backToReady', 'toDraft'],
    },
    leads: {
      toValidated: 'validated',
      toReady: 'ready',
      toRunning: 'running',
      toDone: 'done',
      toWaiting: 'waiting',
      toSuspended: 'suspended',
      toCanceled: 'canceled',
      toDraft: 'draft',
      backToReady: 'ready',
    },
  },
  registrationRequest: {
    initial: 'created',
    states: { created: ['approve', 'reject'], approved: ['accept'], accepted: ['process'], rejected: [], processed: [] },
    leads: { approve: 'approved', reject: 'rejected', accept: 'accepted', process: 'processed' },
  },
}

describe('the built-in lifecycles', () => {
  test('are these five', () =>
    assert.deepEqual(builtinContributions.lifecycles.map(({ name }) => name).sort(), Object.keys(policies).sort()))
  for (const { name, initial, states, transitions } of builtinContributions.lifecycles) {
    test(`include ${name}, which begins with ${initial}`, () =>
      assert.deepEqual({ initial, states, leads: transitions }, policies[name]))
  }
})
