import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consolePathOf } from './console-address.ts'

describe('an address of a document leads into the console', () => {
  const addresses = [
    ['nxdoc', '4f2a', 'doc/4f2a'],
    ['nxdoc', '4f2a/view_documents', 'doc/4f2a'],
    ['nxdoc', '../x', 'doc/..'],
    ['nxdoc', 'a?b#c', 'doc/a%3Fb%23c'],
    ['nxpath', 'default-domain/workspaces/Plans & more@view_documents', 'browse/default-domain/workspaces/Plans%20%26%20more'],
    ['nxpath', 'default-domain/me@work/plan', 'browse/default-domain/me%40work/plan'],
    ['nxpath', '@view_documents', 'browse/'],
  ] as const
  for (const [kind, address, path] of addresses) {
    test(`${kind}/default/${address}`, () => assert.equal(consolePathOf(kind, address), path))
  }
})
