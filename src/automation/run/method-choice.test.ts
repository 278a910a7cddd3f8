import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineOperation, type MethodBuilders, type OperationMethod } from '../operation.ts'
import type { InputWord } from '../values/words.ts'
import { type FlowKind, kindAfter, suitableMethods } from './plan.ts'

function methodsOf(run: (builders: MethodBuilders<object, never>) => readonly OperationMethod[]): readonly OperationMethod[] {
  return defineOperation({ id: 'o', category: '', description: '', effect: 'reads', params: {}, run: run as never }).methods
}

const onEach = (...inputs: readonly InputWord[]) =>
  methodsOf(({ on }) => inputs.map((input) => on(input, 'void', () => undefined as never)))

describe('of the methods of an operation', () => {
  const rows: [what: string, kind: FlowKind, offered: readonly InputWord[], order: readonly InputWord[]][] = [
    [
      'the exact one comes before one for what it can be made to',
      'document',
      ['documents', 'document'],
      ['document', 'documents'],
    ],
    ['one that looks at the input comes before one that does not', 'document', ['void', 'documents'], ['documents', 'void']],
    ['one for anything comes before one that does not look', 'map', ['void', 'object'], ['object', 'void']],
    ['the one for no input is exact without one', 'nothing', ['object', 'void'], ['void', 'object']],
    ['a text can be a document or several', 'string', ['blob', 'document', 'documents'], ['document', 'documents']],
    ['so can a text that names several', 'references', ['blob', 'document', 'string'], ['string', 'document']],
    ['a list is rather several documents than the only one in it', 'list', ['document', 'documents'], ['documents', 'document']],
    ['several documents are one when there is just one', 'documents', ['document'], ['document']],
    ['a number is a text at need', 'number', ['document', 'string'], ['string']],
    ['a file is no document', 'blob', ['document'], []],
    ['a map can describe a file or a user', 'map', ['blob', 'platformprincipal', 'document'], ['blob', 'platformprincipal']],
    ['all that look could do when it is not known yet', 'any', ['void', 'blob', 'document'], ['blob', 'document', 'void']],
  ]
  for (const [what, kind, offered, order] of rows) {
    test(what, () => {
      assert.deepEqual(
        suitableMethods(onEach(...offered), kind).map(({ input }) => input),
        order,
      )
    })
  }

  test('one that runs for each item suits a list better than one that wants the only item', () => {
    const methods = methodsOf(({ on, each }) => [
      on('document', 'string', () => undefined as never),
      each('document', 'void', () => undefined as never),
    ])
    assert.deepEqual(
      suitableMethods(methods, 'documents').map(({ isItemwise }) => isItemwise),
      [true, false],
    )
  })
})

describe('what goes on after a method', () => {
  const [single, each, silent, deaf] = methodsOf((builders) => [
    builders.on('document', 'string', () => undefined as never),
    builders.each('document', 'document', () => undefined as never),
    builders.on('document', 'void', () => undefined as never),
    builders.on('void', 'void', () => undefined as never),
  ]) as [OperationMethod, OperationMethod, OperationMethod, OperationMethod]

  test('is what it gives', () => assert.equal(kindAfter(single, 'document'), 'string'))
  test('is the list of what it gives for each', () => {
    assert.equal(kindAfter(each, 'documents'), 'documents')
    assert.equal(kindAfter(each, 'list'), 'documents')
    assert.equal(kindAfter(each, 'references'), 'documents')
    assert.equal(kindAfter(each, 'document'), 'document')
    assert.equal(kindAfter(each, 'string'), 'document')
  })
  test('is nothing when it takes its input and gives nothing', () => assert.equal(kindAfter(silent, 'document'), 'nothing'))
  test('is the input when it neither takes nor gives', () => assert.equal(kindAfter(deaf, 'blob'), 'blob'))
})
