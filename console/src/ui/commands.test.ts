import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPressed, keyNames } from './commands.ts'

const press = (key: string, held: 'ctrlKey' | 'metaKey' | 'altKey' | undefined = undefined) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...(held && { [held]: true }),
})

describe('keys of commands', () => {
  test('are told from the same key with another one held', () => {
    assert.ok(isPressed('Mod+K', press('k', 'ctrlKey')))
    assert.ok(isPressed('Mod+K', press('K', 'metaKey')))
    assert.ok(!isPressed('Mod+K', press('k')))
    assert.ok(!isPressed('/', press('/', 'ctrlKey')))
    assert.ok(!isPressed('?', press('?', 'altKey')))
    assert.ok(isPressed('?', press('?')))
  })
  test('are called as on the keyboard', () => {
    assert.deepEqual(keyNames('Mod+K', 'MacIntel'), ['⌘', 'K'])
    assert.deepEqual(keyNames('Mod+K', 'Linux x86_64'), ['Ctrl', 'K'])
  })
})
