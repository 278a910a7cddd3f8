import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isServedIn } from './management.ts'

describe('a port', () => {
  for (const [under, path, isPublic, isManagement] of [
    ['api', '/management/probes', false, true],
    ['api', '/management', false, true],
    ['server', '/metrics', false, true],
    ['server', '/health/ready', true, true],
    ['server', '/runningstatus', true, true],
    ['api', '/managements', true, false],
    ['api', '/metrics', true, false],
    ['api', '/me', true, false],
    ['server', '/management/x', true, false],
  ] as const) {
    test(`of either kind serves ${path} below ${under} as it should`, () => {
      assert.equal(isServedIn('all', { under, path }), true)
      assert.equal(isServedIn('public', { under, path }), isPublic)
      assert.equal(isServedIn('management', { under, path }), isManagement)
    })
  }
})
