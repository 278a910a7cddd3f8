import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRegister } from './register.ts'

test('a state may be seen from when its change is sent until the next one is answered', async () => {
  let time = 0
  const register = createRegister('off', () => time)
  time = 10
  const under = Promise.withResolvers<void>()
  const done = register.set('on', () => under.promise)
  time = 20
  assert.equal(register.mayBeSeen('on', 5, 9), false, 'not before it was sent')
  assert.equal(register.mayBeSeen('on', 5, 11), true, 'while it is under way')
  assert.equal(register.mayBeSeen('off', 15, 18), true, 'nor is what was before it over')
  under.resolve()
  await done
  assert.equal(register.mayBeSeen('off', 15, 25), true, 'a look that began before the answer')
  assert.equal(register.mayBeSeen('off', 21, 25), false, 'one that began after it')
  assert.equal(register.mayBeSeen('on', 21, 25), true)
})
