import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { requireName } from '../../model/path-segment.ts'
import { userNamed, workspaceName, workspaceNames } from './workspace-name.ts'

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
  test('says whose it is', () => {
    fc.assert(fc.property(fc.string(), (user) => userNamed(workspaceName(user)) === user))
  })
})

describe('the names under which a workspace may be', () => {
  const tailOf = (user: string) => hash('sha1', user).slice(0, 8)

  test('are the one of today, and letters and digits cut at the longest segment or at 30, with or without a tail', () => {
    const user = 'maximilian.mustermann@sales.example.org'
    assert.deepEqual(workspaceNames(user, 24), [
      'maximilian.mustermann~40sales.example.org',
      'maximilian-mustermann-sa',
      `maximilian-muste${tailOf(user)}`,
      'maximilian-mustermann-sales-ex',
      `maximilian-mustermann-${tailOf(user)}`,
    ])
  })
  test('are fewer where the name is short: a name is there once', () => {
    assert.deepEqual(workspaceNames('jane-doe@x', 24), ['jane-doe~40x', 'jane-doe-x', `ja${tailOf('jane-doe@x')}`])
    assert.deepEqual(workspaceNames('ann', 24), ['ann', tailOf('ann')])
  })
  test('leave out accents and what stands between words', () => {
    assert.equal(workspaceNames('Zoë  (née Ångström)', 24)[1], 'Zoe-nee-Angstrom')
  })
  test('are never one that leads elsewhere', () => {
    assert.deepEqual(workspaceNames('..', 24), [tailOf('..')])
    assert.deepEqual(workspaceNames('\u0001..', 24), [tailOf('\u0001..')])
  })
  test('are names that a document can have, whatever the user is called', () => {
    const anyUser = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 200, maxLength: 400 }))
    fc.assert(
      fc.property(anyUser, fc.integer({ min: 8, max: 255 }), (user, maxLength) => {
        const names = workspaceNames(user, maxLength)
        assert.ok(names.length > 0)
        for (const name of names) assert.equal(requireName(name), name)
      }),
    )
  })
})
