import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { browserNameOf } from './browser-name.ts'

describe('a browser is known by', () => {
  for (const [userAgent, browser, system] of [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 FxiOS/140.0 Mobile Safari/605.1.15',
      'Firefox',
      'iOS',
    ],
  ] as const) {
    test(`${browser} on ${system}`, () => assert.deepEqual(browserNameOf(userAgent), { browser, system }))
  }
  test('its own words where nobody knows it', () => {
    assert.deepEqual(browserNameOf('curl/8.9.1'), { browser: 'curl' })
    assert.deepEqual(browserNameOf(''), { browser: '' })
  })
})
