import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryModel } from '../../../test/support/nxql/query-model.ts'
import { compileQuery } from '../compile-query.ts'
import type { Formula } from '../formula.ts'
import type { QueryReference } from '../reference.ts'

const compile = (text: string) => compileQuery(queryModel, text)

function referenceIn(where: string): QueryReference {
  const formula = compile(`SELECT * FROM File WHERE ${where}`).where
  if (formula.kind !== 'value') throw new Error(`No value: ${formula.kind}`)
  return formula.reference
}

describe('names', () => {
  const places = {
    'dc:title': 'dc:title string',
    'file:content/name': 'file:content/name string',
    'content/length': 'file:content/length long',
    'content/data': 'file:content/digest string',
    'my:blob/mime-type': 'my:blob/mime-type string',
    filename: 'file:content/name string',
    'file:filename': 'file:content/name string',
    'files:files/*/filename': 'files:files/*0/file/name string',
    'files:files/item[0]/filename': 'files:files/0/file/name string',
    uid: 'uid:uid string',
    'uid:uid': 'uid:uid string',
    major_version: 'uid:major_version long',
    'dc:subjects': 'dc:subjects string list',
    'dc:subjects/3': 'dc:subjects/3 string',
    'dc:subjects/item[3]': 'dc:subjects/3 string',
    'dc:subjects/99999999999': 'dc:subjects/2147483647 string',
    'dc:subjects/*': 'dc:subjects/*0 string',
    'p:owner/firstname': 'p:owner/firstname string',
    'p:people/*1/phones': 'p:people/*0/phones string list',
    'p:people/*1/phones/*2': 'p:people/*0/phones/*1 string',
    'p:people/0/age': 'p:people/0/age long',
    'p:groups/item[*1]/members/item[*]/name': 'p:groups/*0/members/*1/name string',
    'ecm:tag': 'nxtag:tags/*0/label string',
    'ecm:tag/*': 'nxtag:tags/*0/label string',
    'ecm:tag/0': 'nxtag:tags/0/label string',
    'ecm:acl/*1/grant': 'ecm:acl/*0/grant boolean',
    'ecm:acl/item[*1]/begin': 'ecm:acl/*0/begin date',
    'ecm:lock': 'ecm:lockOwner string',
    'ecm:pos': 'ecm:pos long',
    'ecm:retainUntil': 'ecm:retainUntil date',
    'ecm:blobKeys': 'ecm:blobKeys string list',
    'ecm:fulltextJobId': 'ecm:fulltextJobId string',
  }
  for (const [name, expected] of Object.entries(places)) {
    test(`${name} is ${expected}`, () => {
      const { identity, type, isList } = referenceIn(`${name} IS NULL`)
      assert.equal(`${identity} ${type}${isList ? ' list' : ''}`, expected)
    })
  }

  test('ecm:isCheckedInVersion is ecm:isVersion', () => {
    assert.equal(referenceIn('ecm:isCheckedInVersion = 1').identity, 'ecm:isVersion')
  })
})

describe('wildcards', () => {
  const identities = (query: string) => {
    const found: string[] = []
    const visit = (formula: Formula): void => {
      if (formula.kind === 'not') visit(formula.operand)
      else if (formula.kind === 'and' || formula.kind === 'or') for (const operand of formula.operands) visit(operand)
      else if (formula.kind === 'value') found.push(formula.reference.identity)
    }
    visit(compile(query).where)
    return found
  }

  test('without a number are independent of each other', () =>
    assert.deepEqual(identities('SELECT * FROM File WHERE dc:subjects/* IS NULL OR dc:subjects/* IS NULL'), [
      'dc:subjects/*0',
      'dc:subjects/*1',
    ]))

  test('with a number are the same wherever the list before them is', () =>
    assert.deepEqual(
      identities(
        'SELECT * FROM File WHERE p:people/*1/first IS NULL AND (p:people/item[*1]/last IS NULL OR NOT p:people/*2/last IS NULL)',
      ),
      ['p:people/*0/first', 'p:people/*0/last', 'p:people/*1/last'],
    ))

  test('with the same number in different lists are different', () =>
    assert.deepEqual(identities('SELECT * FROM File WHERE dc:subjects/*1 IS NULL AND dc:contributors/*1 IS NULL'), [
      'dc:subjects/*0',
      'dc:contributors/*1',
    ]))

  test('inside items of independent wildcards are independent', () =>
    assert.deepEqual(identities('SELECT * FROM File WHERE p:people/*/phones/*1 IS NULL AND p:people/*/phones/*1 IS NULL'), [
      'p:people/*0/phones/*1',
      'p:people/*2/phones/*3',
    ]))

  test('mean the same under every spelling of a property', () =>
    assert.deepEqual(identities('SELECT * FROM File WHERE files/*1/file/name IS NULL AND files:files/*1/filename IS NULL'), [
      'files:files/*0/file/name',
      'files:files/*0/file/name',
    ]))

  test('of tags are one and the same unless they say otherwise', () =>
    assert.deepEqual(identities('SELECT * FROM File WHERE ecm:tag IS NULL AND ecm:tag/*1 IS NULL AND ecm:tag/* IS NULL'), [
      'nxtag:tags/*0/label',
      'nxtag:tags/*0/label',
      'nxtag:tags/*1/label',
    ]))

  test('know the list they choose from and the item it lies in', () => {
    const { bindings } = compile("SELECT * FROM File WHERE p:groups/*1/members/*2/name = 'x'")
    const [outer, inner] = bindings
    assert.deepEqual(
      [outer, inner].map((binding) => ({ ...binding, list: binding?.list.kind === 'property' && binding.list.steps })),
      [
        { id: 0, list: [], makesRows: false, needsItem: false },
        { id: 1, list: [{ binding: 0 }, 'members'], parent: 0, makesRows: false, needsItem: false },
      ],
    )
  })

  test('make rows where they are selected or sorted by, and need an item where they end a column', () => {
    const { bindings } = compile(
      'SELECT dc:subjects/*, p:people/*1/first, ecm:tag FROM File WHERE p:people/*2/first IS NULL ORDER BY dc:contributors/*',
    )
    assert.deepEqual(
      bindings.map(({ makesRows, needsItem }) => [makesRows, needsItem]),
      [
        [true, true],
        [true, false],
        [true, true],
        [false, false],
        [true, false],
      ],
    )
  })
})
