import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { undecodablePath } from '../../rest/request/url-path.ts'
import { parseEntryAddress } from './entry-address.ts'

describe('the address of an entry', () => {
  const rows: readonly [path: string, id: string][] = [
    ['/directory/nature/article', 'article'],
    ['/directory/nature/article/', 'article/'],
    ['/directory/nature/http://address.com/', 'http://address.com/'],
    ['/directory/nature//slash', '/slash'],
    ['/directory/directory/directory', 'directory'],
    ['/repo/default/directory/nature/a/b', 'a/b'],
    ['/directory/nature/a%2Fb;c=d', 'a/b;c=d'],
    ['//directory//nature/x', 'x'],
  ]
  for (const [path, id] of rows) test(`${path} is that of ${id}`, () => assert.equal(parseEntryAddress(path), id))

  test('holds any id, encoded or with its slashes as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        const encoded = encodeURIComponent(id)
        assert.equal(parseEntryAddress(`/directory/nature/${encoded}`), id)
        assert.equal(parseEntryAddress(`/repo/archive/directory/nature/${encoded.replaceAll('%2F', '/')}`), id)
      }),
    )
  })

  test('is refused when it is no UTF-8', () => {
    assert.throws(() => parseEntryAddress('/directory/nature/%FF'), undecodablePath.is)
  })
})
