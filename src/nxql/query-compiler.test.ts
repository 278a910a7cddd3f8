import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryModel } from '../../test/support/nxql/query-model.ts'
import { createQueryCompiler } from './query-compiler.ts'
import { defaultQuerySettings } from './query-settings.ts'

const aCompiler = (limits?: { queries: number; textLength: number }) =>
  createQueryCompiler(queryModel, defaultQuerySettings, limits)

describe('queries that were compiled', () => {
  test('are the same object the next time', () => {
    const compile = aCompiler()
    assert.equal(compile('SELECT * FROM File'), compile('SELECT * FROM File'))
    assert.notEqual(compile('SELECT * FROM File'), compile('SELECT * FROM Note'))
  })

  test('leave when others were asked for more recently', () => {
    const compile = aCompiler({ queries: 2, textLength: 100 })
    const [file, note] = [compile('SELECT * FROM File'), compile('SELECT * FROM Note')]
    assert.equal(compile('SELECT * FROM File'), file)
    compile('SELECT * FROM Folder')
    assert.equal(compile('SELECT * FROM File'), file)
    assert.notEqual(compile('SELECT * FROM Note'), note)
  })

  test('are not kept when they are long', () => {
    const compile = aCompiler({ queries: 2, textLength: 10 })
    assert.notEqual(compile('SELECT * FROM File'), compile('SELECT * FROM File'))
  })

  test('are not kept when they are wrong, and say for whom they were', () => {
    const compile = aCompiler()
    const query = 'SELECT * FROM Nothing'
    assert.throws(() => compile(query), { message: `Failed to execute query: ${query}, Unknown type: Nothing` })
    assert.throws(() => compile(query, 'records'), { message: `Failed to execute query: NXQL: ${query}, Unknown type: Nothing` })
  })
})
