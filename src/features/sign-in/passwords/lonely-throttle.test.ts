import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Principals } from '../../../core/principals/principals.ts'
import { createPrincipal } from '../../../model/rights/principal.ts'
import type { BrowserRequest } from '../../../rest/authenticator.ts'
import { databaseUnreachable } from '../../../store/problems.ts'
import { guessLimits } from './guess-throttle.ts'
import { createLonelyThrottle } from './lonely-throttle.ts'
import { createPasswordCheck } from './password-check.ts'

describe('guesses that no database counts', () => {
  test('wait longer each time once there were too many, and are forgiven by the right one', async () => {
    let moment = 0
    const begin = createLonelyThrottle(() => moment)
    for (let guess = 1; guess < guessLimits.pair.freeGuesses; guess += 1)
      assert.equal(begin('10.0.0.1', 'ann').retryAfterSeconds, 0)
    assert.equal(begin('10.0.0.1', 'ann').retryAfterSeconds, 0)
    assert.equal(begin('10.0.0.1', 'ann').retryAfterSeconds, 1)
    assert.equal(begin('10.0.0.2', 'ann').retryAfterSeconds, 0)
    assert.equal(begin('10.0.0.1', 'bob').retryAfterSeconds, 0)
    moment = 1_001
    const permit = begin('10.0.0.1', 'ann')
    assert.equal(permit.retryAfterSeconds, 0)
    assert.equal(begin('10.0.0.1', 'ann').retryAfterSeconds, 2)
    await permit.settle(true)
    assert.equal(begin('10.0.0.1', 'ann').retryAfterSeconds, 0)
  })
})

describe('a password while the database does not answer', () => {
  const unreachable = databaseUnreachable({ address: 'nowhere' })
  const emergency = createPrincipal('Emergency', ['administrators'], { isAdministrator: true, isAnonymous: false })
  const principals = {
    async authenticate(name: string, password: string) {
      if (name !== 'Emergency') throw unreachable
      return password === 'right' ? emergency : undefined
    },
    isStoredOldWay: () => false,
  } as unknown as Principals
  const check = createPasswordCheck({
    throttle: { begin: () => Promise.reject(unreachable) },
    beginAlone: createLonelyThrottle(),
    upgrade: async () => {},
  })
  const sign = (name: string, password: string) =>
    check({ clientAddress: '10.0.0.1' } as BrowserRequest, principals, { name, password })

  test('lets in the emergency administrator, and tells of nobody else whether it was right', async () => {
    assert.deepEqual(await sign('Emergency', 'right'), { kind: 'known', principal: emergency })
    for (const [name, password] of [
      ['Emergency', 'wrong'],
      ['ann', 'right'],
    ] as const)
      await assert.rejects(sign(name, password), (error) => databaseUnreachable.is(error))
  })

  test('is not looked at once there were too many guesses', async () => {
    for (let guess = 0; guess < 40; guess += 1) await sign('Emergency', `wrong ${guess}`).catch(() => {})
    assert.equal((await sign('Emergency', 'right')).kind, 'throttled')
  })
})
