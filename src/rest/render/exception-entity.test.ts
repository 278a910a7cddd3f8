import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineProblem } from '../../base/problem.ts'
import { vendorIdentifiers } from '../../base/vendor.ts'
import { errorEntity } from './exception-entity.ts'

const documentNotFound = defineProblem('documentNotFound', 'notFound', (of: { path: string }) => of.path)
const vendored = vendorIdentifiers('acme')

describe('the exception entity', () => {
  test('has three fields and the sentence of the problem', () => {
    assert.deepEqual(errorEntity(documentNotFound({ path: '/nope' }), { vendored, showStack: false, locales: [] }), {
      status: 404,
      body: { 'entity-type': 'exception', status: 404, message: '/nope' },
    })
  })
  test('says nothing about an unexpected error', () => {
    const { status, body } = errorEntity(new Error('password=secret'), { vendored, showStack: false, locales: [] })
    assert.equal(status, 500)
    assert.deepEqual(body, { 'entity-type': 'exception', status: 500, message: 'Internal Server Error' })
  })
  test('shows the stack with its causes and the class clients know, when asked to', () => {
    const error = documentNotFound({ path: '/nope' }, { cause: new Error('no such row') })
    const { body } = errorEntity(error, { vendored, showStack: true, locales: [] })
    assert.deepEqual(body['exception'], { className: 'org.acme.ecm.core.api.DocumentNotFoundException', message: '/nope' })
    assert.match(String(body['stacktrace']), /^documentNotFound: \/nope\n {4}at [\s\S]*\nCaused by: Error: no such row/)
  })
  test('ends also when a cause leads back to itself', () => {
    const error = new Error('round')
    error.cause = error
    assert.equal(typeof errorEntity(error, { vendored, showStack: true, locales: [] }).body['stacktrace'], 'string')
  })
})
