import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mayRead } from './metrics-access.ts'

const host = 'localhost:8080'
const loopback = { isOpenToLoopback: true, key: undefined }
const keyed = { isOpenToLoopback: false, key: 'a long key' }

describe('/metrics is told without the credentials of a user', () => {
  for (const [remoteAddress, named] of [
    ['127.0.0.1', 'localhost'],
    ['127.8.8.8', '127.0.0.1:9090'],
    ['::1', '[::1]:8080'],
    ['::ffff:127.0.0.1', 'LOCALHOST:80'],
  ] as const) {
    test(`to ${remoteAddress}, which asks ${named}`, () => {
      assert.equal(mayRead({ remoteAddress, headers: { host: named } }, loopback), true)
      assert.equal(mayRead({ remoteAddress, headers: { host: named } }, keyed), false)
    })
  }

  for (const authorization of ['Bearer a long key', 'bearer  a long key ']) {
    test(`to whoever sends ${authorization}`, () => {
      assert.equal(mayRead({ remoteAddress: '10.0.0.1', headers: { host: 'dms.example.com', authorization } }, keyed), true)
    })
  }
})

describe('/metrics is not told without them', () => {
  for (const [what, headers] of [
    ['a proxy that says for whom it asks', { host, 'x-forwarded-for': '127.0.0.1' }],
    ['a proxy that says which host was asked', { host, 'x-forwarded-host': 'localhost' }],
    ['a proxy that keeps to the standard', { host, forwarded: 'for=127.0.0.1' }],
    ['a proxy that names itself', { host, via: '1.1 cache' }],
    ['a proxy that has another header', { host, 'x-real-ip': '127.0.0.1' }],
    ['a proxy that has the header of a vendor', { host, 'acme-virtual-host': 'http://localhost/' }],
    ['a proxy that passes the host on', { host: 'dms.example.com' }],
    ['a name that only looks like one of this machine', { host: 'localhost.example.com' }],
    ['a request without a host', {}],
    ['a page in a browser', { host, 'sec-fetch-site': 'cross-site' }],
    ['a script of a page', { host, origin: 'http://evil.example' }],
  ] as const) {
    test(`to ${what}`, () => {
      assert.equal(mayRead({ remoteAddress: '127.0.0.1', headers }, loopback), false)
    })
  }

  for (const remoteAddress of ['10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', undefined]) {
    test(`to ${remoteAddress}`, () => {
      assert.equal(mayRead({ remoteAddress, headers: { host } }, loopback), false)
    })
  }

  for (const authorization of ['Bearer a long keY', 'Bearer a long key2', 'Bearer', 'Basic a long key', 'a long key']) {
    test(`to whoever sends ${authorization}`, () => {
      assert.equal(mayRead({ remoteAddress: '127.0.0.1', headers: { host, authorization } }, keyed), false)
    })
  }

  test('to anybody, unless a setting says so', () => {
    const request = { remoteAddress: '127.0.0.1', headers: { host, authorization: 'Bearer undefined' } }
    assert.equal(mayRead(request, { isOpenToLoopback: false, key: undefined }), false)
  })
})
