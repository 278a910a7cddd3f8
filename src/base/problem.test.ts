import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineProblem, Problem } from './problem.ts'

const locked = defineProblem('locked', 'conflict', (by: { owner: string }) => `Locked by ${by.owner}`)
const missing = defineProblem('missing', 'notFound', (of: { id: string }) => of.id)

test('a problem carries its code, kind, sentence, details and cause', () => {
  const cause = new Error('underneath')
  const problem = locked({ owner: 'alice' }, { cause })
  assert.ok(problem instanceof Problem)
  assert.deepEqual(
    { code: problem.code, kind: problem.kind, message: problem.message, details: problem.details, cause: problem.cause },
    { code: 'locked', kind: 'conflict', message: 'Locked by alice', details: { owner: 'alice' }, cause },
  )
})

test('a problem is recognised by its factory and by no other', () => {
  const problem: unknown = locked({ owner: 'alice' })
  assert.equal(locked.is(problem), true)
  assert.equal(missing.is(problem), false)
  assert.equal(locked.is(new Error('Locked by alice')), false)
  assert.equal(locked.is(undefined), false)
})
