import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actingName, createPrincipal, findTransientEmail, systemPrincipal, transientName } from './principal.ts'

const alice = createPrincipal('alice', ['members'], { isAdministrator: false })

test('a principal answers to its own name, its groups and Everyone', () => {
  assert.deepEqual(alice.names, new Set(['alice', 'members', 'Everyone']))
})

test('the system acts in the name of the user it acts for, however often it is asked', () => {
  const system = systemPrincipal(alice)
  assert.equal(system.isSystem && system.isAdministrator, true)
  assert.equal(actingName(system), 'alice')
  assert.equal(actingName(systemPrincipal(system)), 'alice')
})

test('the system by itself acts in its own name', () => {
  assert.equal(actingName(systemPrincipal()), 'system')
  assert.equal(actingName(systemPrincipal(systemPrincipal())), 'system')
  assert.equal(actingName(alice), 'alice')
})

test('the name of a guest invited by mail tells the address, also with digits behind it', () => {
  assert.equal(findTransientEmail(transientName('ann@x.org')), 'ann@x.org')
  assert.equal(findTransientEmail('transient/ann@x.org/0aF9'), 'ann@x.org')
  for (const name of [
    'ann@x.org',
    'transient/',
    'transient/ann',
    'transient/@x',
    'transient/a b@x',
    'transient/a@x/xyz',
    'transient/a@x/1/2',
  ]) {
    assert.equal(findTransientEmail(name), undefined, name)
  }
})
