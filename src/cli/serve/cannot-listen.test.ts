import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cannotListen, explainListenError } from './cannot-listen.ts'

const wanted = { host: '127.0.0.1', port: 80 }
const aSystemError = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

describe('an error of listening', () => {
  for (const [code, syscall, reason] of [
    ['EADDRINUSE', 'listen', /cannot listen on 127\.0\.0\.1:80: another program .* --port/],
    ['EADDRINUSE', 'bind', /another program/],
    ['EACCES', 'listen', /above 1023/],
    ['EADDRNOTAVAIL', 'listen', /--host/],
    ['ENOTFOUND', 'getaddrinfo', /--host/],
  ] as const) {
    test(`${syscall} ${code} is put into words`, () => {
      const explained = explainListenError(aSystemError(code, syscall), wanted)
      assert.ok(cannotListen.is(explained))
      assert.match(explained.message, reason)
    })
  }

  test('stays what it is when it is about something else', () => {
    for (const other of [new Error('x'), aSystemError('ECONNREFUSED', 'connect'), aSystemError('EIO', 'listen')]) {
      assert.equal(explainListenError(other, wanted), other)
    }
  })
})
