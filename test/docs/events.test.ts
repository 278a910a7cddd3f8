import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'

const root = resolve(import.meta.dirname, '../..')
const declared = new Set(builtinPlugins.flatMap(({ events = [] }) => events).map(({ name }) => name))

describe('events', () => {
  test('that are announced are declared, so that listeners may name them', () => {
    const announced = everySource().flatMap((text) =>
      [...text.matchAll(/\b(?:announce|offer|announceToServer)\(\s*\w+,\s*'(\w+)'/g)].map(([, name = '']) => name),
    )
    assert.ok(announced.length > 30)
    assert.deepEqual(
      announced.filter((name) => !declared.has(name)),
      [],
    )
  })

  test('that are declared are in the guide', () => {
    const guide = readFileSync(join(root, 'docs/extending.md'), 'utf8')
    assert.deepEqual(
      [...declared].filter((name) => !guide.includes(`\`${name}\``)),
      [],
    )
  })
})

function everySource(): readonly string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
}
