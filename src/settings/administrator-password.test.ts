import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { administratorUnprotected, requireProtectedAdministrator } from './administrator-password.ts'

const loopback = ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', 'localhost']
const reachable = [
  '0.0.0.0',
  '::',
  '192.168.1.5',
  '10.0.0.1',
  '128.0.0.1',
  'quire.example.org',
  '127.example.org',
  'localhost.example.org',
]

describe("the administrator's default password", () => {
  for (const host of loopback) {
    test(`is allowed on ${host}`, () => requireProtectedAdministrator(host, 'default'))
  }

  for (const host of reachable) {
    test(`is refused on ${host}, with the reason and the ways out`, () => {
      assert.throws(
        () => requireProtectedAdministrator(host, 'default'),
        (error) =>
          administratorUnprotected.is(error) &&
          /default password.*QUIRE_ADMIN_PASSWORD.*quire user password Administrator.*--host/.test(error.message),
      )
    })

    for (const password of ['configured', 'chosen', 'none'] as const) {
      test(`no longer keeps a server from ${host} once it is ${password}`, () => requireProtectedAdministrator(host, password))
    }
  }
})
