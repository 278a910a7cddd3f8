import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Call } from './answer/http-exchange.ts'
import { isWatching, spanOf } from './request-span.ts'

describe('a request in a trace', () => {
  for (const [path, isLeftOut] of [
    ['/health/live', true],
    ['/health/ready', true],
    ['/archive/runningstatus', true],
    ['/metrics', true],
    ['/api/v1/management/metrics', true],
    ['/api/v1/path/health/lively', false],
    ['/api/v1/me', false],
  ] as const) {
    test(`${path} is ${isLeftOut ? 'left out' : 'recorded'}`, () => assert.equal(isWatching({ path }), isLeftOut))
  }

  test('begins with its method and its id, and nothing of what it brings', () => {
    const headers = { authorization: 'Basic hidden', cookie: 'hidden', 'user-agent': 'hidden' }
    const call = { id: '17', request: { method: 'GET', headers, path: '/hidden', search: '?token=hidden' } }
    const span = spanOf(call as unknown as Call)
    assert.deepEqual(span, {
      name: 'GET',
      kind: 'server',
      attributes: { 'http.request.method': 'GET', 'quire.request.id': '17' },
      parent: null,
    })
  })

  test('goes on from the traceparent that it brings', () => {
    const headers = { traceparent: '00-1-2-01', tracestate: 'vendor=1' }
    const call = { id: '17', request: { method: 'GET', headers, path: '/' } }
    assert.deepEqual(spanOf(call as unknown as Call).parent, headers)
  })
})
