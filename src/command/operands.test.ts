import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { unexpectedArgument } from '../settings/problems.ts'
import { missingOperand, type OperandDeclarations, operandsUsage, parseOperands } from './operands.ts'

const group = { help: 'Group' }
const parse = (declarations: OperandDeclarations, ...words: string[]) => parseOperands(declarations, words, 'quire x')

describe('the operands of a command', () => {
  test('get their names in order', () => {
    assert.deepEqual(parse({ group, user: { help: 'User' } }, 'staff', 'bob'), { group: 'staff', user: 'bob' })
  })
  test('may be any number in the last place', () => {
    const users = { help: 'Users', count: 'many' } as const
    assert.deepEqual(parse({ group, users }, 'staff', 'bob', 'carol'), { group: 'staff', users: ['bob', 'carol'] })
  })
  test('may be missing where they are optional', () => {
    const term = { help: 'Term', count: 'optional' } as const
    assert.deepEqual(parse({ term }), { term: undefined })
    assert.deepEqual(parse({ term }, 'b'), { term: 'b' })
  })
  test('are refused when one is missing, with its name and the usage', () => {
    const users = { help: 'Users', count: 'many' } as const
    for (const words of [[], ['staff']]) {
      assert.throws(
        () => parse({ group, users }, ...words),
        (error: Error) => missingOperand.is(error) && /^<(group|users)> is missing; usage: quire x$/.test(error.message),
      )
    }
  })
  test('are refused when there is one too many', () => {
    assert.throws(() => parse({ group }, 'staff', 'bob'), unexpectedArgument.is)
    assert.throws(() => parse({}, 'staff'), unexpectedArgument.is)
  })
  test('are empty words where these were given', () => assert.deepEqual(parse({ group }, ''), { group: '' }))
  test('are shown as they are typed', () => {
    const shown = operandsUsage({ group, users: { help: 'Users', count: 'many' } })
    assert.equal(shown, '<group> <users…>')
    assert.equal(operandsUsage({ term: { help: 'Term', count: 'optional' } }), '[term]')
  })
})
