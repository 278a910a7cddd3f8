import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseUrlPath } from '../../rest/request/url-path.ts'
import { invalidPrincipalName, requireNewName, requireStorableName } from './principal-name.ts'

const isAllowed = (check: typeof requireNewName, name: string) => {
  try {
    check('name', name)
    return true
  } catch (error) {
    assert.ok(invalidPrincipalName.is(error))
    return false
  }
}

describe('a name that is new', () => {
  test('can be addressed, with its slashes as they are or encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        if (!isAllowed(requireNewName, name)) return
        const { segments, adapters } = parseUrlPath(`/group/${encodeURIComponent(name)}`)
        assert.deepEqual([segments.map(({ text }) => text), adapters], [['group', name], []])
        const { pathname } = new URL(`/group/${encodeURIComponent(name)}`, 'http://host')
        assert.equal(decodeURIComponent(pathname), `/group/${name}`)
      }),
    )
  })

  test('is allowed or not as this table says', () => {
    const table: readonly [name: string, isNew: boolean, isStorable: boolean][] = [
      ['ann', true, true],
      ['ann@x.org', true, true],
      ['transient/ann@x.org/666', false, true],
      ['Everyone', false, true],
      ['system', false, true],
      ['search', false, true],
      ['Search', true, true],
      ['constructor', true, true],
      ['__proto__', true, true],
      ['..a', true, true],
      ['a..b', true, true],
      ['Ana María', true, true],
      ['..', false, true],
      ['a/./b', false, true],
      ['@ann', false, true],
      ['a/@b', false, true],
      ['a\nb', false, false],
      ['\u007f', false, false],
      ['\ud83d', false, false],
      ['😀', true, true],
      ['👩\u200d💻', true, true],
      ['❤\ufe0f', true, true],
      ['ann\ufe0f', false, true],
      ['ann\u00ad', false, true],
      ['ann\u034f', false, true],
      ['ann\u200b', false, true],
      ['an\u200dn', false, true],
      ['ann\u200e', false, true],
      ['ann\u3164', false, true],
      ['ann\u{e0041}', false, true],
      ['Ren\u00e9', true, true],
      ['Rene\u0301', false, true],
      ['user:ann', false, true],
      ['group:', false, true],
      ['users:ann', true, true],
      ['x'.repeat(400), true, true],
      ['x'.repeat(401), false, false],
    ]
    for (const [name, isNew, isStorable] of table) {
      assert.equal(isAllowed(requireNewName, name), isNew, JSON.stringify(name))
      assert.equal(isAllowed(requireStorableName, name), isStorable, JSON.stringify(name))
    }
  })

  test('that is not is shown short and printable in the sentence', () => {
    assert.throws(() => requireNewName('memberUsers', `a\0${'b'.repeat(500)}`), {
      message: `memberUsers: "a\ufffd${'b'.repeat(38)}…" has 502 characters. Use at most 400.`,
    })
  })
})
