import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { workspaceName } from './workspace-name.ts'

describe('the name of a personal workspace', () => {
  const rows: readonly [user: string, name: string][] = [
    ['ann', 'ann'],
    ['ann@x.org', 'ann~40x.org'],
    ['a/b\\c', 'a~2fb~5cc'],
    ['a?b&c;d~e', 'a~3fb~26c~3bd~7ee'],
    ['Ann Lee', 'Ann Lee'],
  ]
  for (const [user, name] of rows) test(`of ${user} is ${name}`, () => assert.equal(workspaceName(user), name))

  test('is another one for every user', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (one, other) => one === other || workspaceName(one) !== workspaceName(other)))
  })
})
