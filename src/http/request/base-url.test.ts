import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { vendorIdentifiers } from '../../base/vendor.ts'
import { createBaseUrls } from './base-url.ts'

type Headers = { readonly [name: string]: string }
interface Row {
  readonly name: string
  readonly headers: Headers
  readonly settings?: { basePath?: string; virtualHost?: string; trustedProxies?: string[] }
  readonly isEncrypted?: boolean
  readonly expected: string
}

const rows: readonly Row[] = [
  { name: 'is the Host header', headers: { host: 'dms.example.com:8080' }, expected: 'http://dms.example.com:8080/' },
  { name: 'omits the default port of http', headers: { host: 'dms.example.com:80' }, expected: 'http://dms.example.com/' },
  { name: 'keeps 443 for http', headers: { host: 'dms.example.com:443' }, expected: 'http://dms.example.com:443/' },
  { name: 'is https on an encrypted connection', headers: { host: 'a:443' }, isEncrypted: true, expected: 'https://a/' },
  { name: 'understands an IPv6 host', headers: { host: '[::1]:8080' }, expected: 'http://[::1]:8080/' },
  { name: 'is the socket address without a Host header', headers: {}, expected: 'http://127.0.0.1:1/' },
  { name: 'does not repeat a Host header that is none', headers: { host: 'a/"><script>' }, expected: 'http://127.0.0.1:1/' },
  { name: 'ends with the context root', headers: { host: 'a' }, settings: { basePath: '/dms' }, expected: 'http://a/dms/' },
  {
    name: 'follows forwarded scheme and host',
    headers: { host: 'inner:8080', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'outer' },
    expected: 'https://outer/',
  },
  {
    name: 'takes the port of the forwarded host',
    headers: { host: 'inner:8080', 'x-forwarded-host': 'outer:81', 'x-forwarded-port': '90' },
    expected: 'http://outer:81/',
  },
  {
    name: 'lets a forwarded host without port win over the forwarded port',
    headers: { host: 'inner:8080', 'x-forwarded-host': 'outer', 'x-forwarded-port': '90' },
    expected: 'http://outer/',
  },
  {
    name: 'takes a forwarded port alone',
    headers: { host: 'inner:8080', 'x-forwarded-port': '90' },
    expected: 'http://inner:90/',
  },
  { name: 'takes the first of several proxies', headers: { host: 'i', 'x-forwarded-host': 'a, b' }, expected: 'http://a/' },
  {
    name: 'does not believe forwarded headers from any client',
    headers: { host: 'inner', 'x-forwarded-host': 'outer', 'acme-virtual-host': 'https://evil/' },
    settings: { trustedProxies: ['10.0.0.0/8'] },
    expected: 'http://inner/',
  },
  { name: 'is the configured host', headers: { host: 'a' }, settings: { virtualHost: 'https://dms/' }, expected: 'https://dms/' },
  {
    name: 'is first of all the virtual-host header',
    headers: { host: 'a', 'acme-virtual-host': 'https://header/', 'x-forwarded-host': 'outer' },
    settings: { virtualHost: 'https://dms/', basePath: '/x' },
    expected: 'https://header/x/',
  },
  {
    name: 'understands the neutral header too',
    headers: { host: 'a', 'platform-virtual-host': 'https://n' },
    expected: 'https://n/',
  },
  {
    name: 'understands the header of another deployment',
    headers: { host: 'a', 'other-virtual-host': 'https://o/' },
    expected: 'https://o/',
  },
  {
    name: 'prefers its own spelling of the header',
    headers: { host: 'a', 'other-virtual-host': 'https://o/', 'acme-virtual-host': 'https://own/' },
    expected: 'https://own/',
  },
  {
    name: 'ignores a header that only ends like it',
    headers: { host: 'a', 'x-my-virtual-host': 'https://o/', '-virtual-host': 'https://o/' },
    expected: 'http://a/',
  },
  {
    name: 'ignores a virtual host that is no URL',
    headers: { host: 'a', 'acme-virtual-host': 'elsewhere' },
    expected: 'http://a/',
  },
]

describe('the base URL', () => {
  for (const { name, headers, settings, isEncrypted = false, expected } of rows) {
    test(name, () => {
      const urls = createBaseUrls({ basePath: '', trustedProxies: ['127.0.0.0/8'], ...settings }, vendorIdentifiers('acme'))
      assert.equal(
        urls.baseUrl({ headers, isEncrypted, localAddress: '127.0.0.1:1', remoteAddress: '::ffff:127.0.0.1' }),
        expected,
      )
    })
  }
})
