import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CorsConfiguration, createCorsPolicies } from './cors.ts'
import { parseOrigin } from './origin.ts'
import { isFromFriendlyOrigin, parseSource } from './request-protection.ts'

interface Row {
  readonly name: string
  readonly method?: string
  readonly origin?: string
  readonly referer?: string
  readonly target?: string
  readonly allowNullOrigin?: boolean
  readonly cors?: Partial<CorsConfiguration>
  readonly isAllowed: boolean
}

const foreign = 'http://other.example.com'
const rows: readonly Row[] = [
  ...['GET', 'HEAD', 'OPTIONS', 'TRACE'].map((method) => ({
    name: `a: foreign ${method}`,
    method,
    origin: foreign,
    isAllowed: true,
  })),
  { name: 'b: neither Origin nor Referer', isAllowed: true },
  { name: 'b: blank Origin and Referer', origin: ' ', referer: '', isAllowed: true },
  { name: 'b: unparsable Origin', origin: 'what is this', isAllowed: true },
  { name: 'b: null, where it counts as none', origin: 'null', allowNullOrigin: true, isAllowed: true },
  { name: 'null is like nothing', origin: 'null', isAllowed: false },
  { name: 'null is not among any origins', origin: 'null', cors: {}, isAllowed: false },
  { name: 'c: Firefox extension', origin: 'moz-extension://12345', isAllowed: true },
  { name: 'c: Chrome extension', origin: 'chrome-extension://12345', isAllowed: true },
  { name: 'd: same origin', origin: 'http://dms.example.com:8080', isAllowed: true },
  { name: 'd: same origin before a space', origin: 'http://dms.example.com:8080 http://x', isAllowed: true },
  { name: 'd: Referer with path and query', referer: 'http://dms.example.com:8080/ui/?x=^|', isAllowed: true },
  { name: 'd: Origin wins over Referer', origin: foreign, referer: 'http://dms.example.com:8080/', isAllowed: false },
  { name: 'd: other port', origin: 'http://dms.example.com:8081', isAllowed: false },
  { name: 'd: other scheme', origin: 'https://dms.example.com:8080', isAllowed: false },
  { name: 'd: explicit default port is not an absent one', origin: 'http://a:80', target: 'http://a/', isAllowed: false },
  { name: 'd: longer host', origin: 'http://dms.example.com.evil.org:8080', isAllowed: false },
  { name: 'd: own host as user name', origin: 'http://dms.example.com:8080@evil.org', isAllowed: false },
  { name: 'e: no configuration covers the path', origin: foreign, isAllowed: false },
  { name: 'e: foreign Referer', referer: `${foreign}/x?y`, isAllowed: false },
  { name: 'f: origin not listed', origin: foreign, cors: { allowOrigin: 'http://friend.org' }, isAllowed: false },
  { name: 'f: subdomain not allowed', origin: foreign, cors: { allowOrigin: 'http://example.com' }, isAllowed: false },
  { name: 'h: subdomain', origin: foreign, cors: { allowOrigin: 'http://example.com', allowSubdomains: true }, isAllowed: true },
  { name: 'g: method not supported', method: 'DELETE', origin: foreign, cors: { allowOrigin: foreign }, isAllowed: false },
  {
    name: 'h: listed origin and method',
    origin: foreign,
    cors: { allowOrigin: `http://friend.org ${foreign}` },
    isAllowed: true,
  },
  { name: 'h: listed origin, by Referer', referer: `${foreign}/page`, cors: { allowOrigin: foreign }, isAllowed: true },
]

describe('the origin check', () => {
  for (const {
    name,
    method = 'POST',
    origin,
    referer,
    target = 'http://dms.example.com:8080/',
    allowNullOrigin,
    cors,
    isAllowed,
  } of rows) {
    test(`${isAllowed ? 'allows' : 'refuses'} ${name}`, () => {
      const [policy] = cors === undefined ? [] : createCorsPolicies([{ name: 'test', ...cors }])
      const source = parseSource(origin, referer, allowNullOrigin ?? false)
      assert.equal(isFromFriendlyOrigin(method, source, parseOrigin(target), policy), isAllowed)
    })
  }
})
