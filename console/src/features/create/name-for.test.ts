import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameFor } from './name-for.ts'

test('a name is the title without what paths cannot have', () => {
  assert.equal(nameFor('Résumé 2026/27'), 'Resume 2026-27')
  assert.equal(nameFor('  a \t b  '), 'a b')
  assert.equal(nameFor('..'), 'untitled')
  assert.equal(nameFor('x'.repeat(200)).length, 60)
})
