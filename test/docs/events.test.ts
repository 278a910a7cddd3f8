import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { auditedDocumentEvents, auditedServerEvents } from '../../src/features/audit/audited-events.ts'

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

  test('that the contract has in the audit log become rows there, and no others of ours do', () => {
    const contract = readFileSync(join(root, 'docs/contract/adapters.md'), 'utf8')
    const listed = /### 4\.3 .*\n\n([\s\S]*?)\n\n/.exec(contract)?.[1]?.replace(/\([^)`]*\)/g, '') ?? ''
    const named = new Set(listed.match(/\b(?:[a-z]+(?:[A-Z_][a-z]*)+|download|logout|(?<=`)search)\b/g))
    assert.ok(named.size > 60, [...named].join())
    const audited = new Set([...auditedDocumentEvents.keys(), ...auditedServerEvents.keys()])
    // The last tells of webhooks and notification endpoints, which the contract has elsewhere.
    assert.deepEqual([[...named.difference(audited)], [...audited.difference(named)]], [[], ['notificationFailed']])
  })
})

function everySource(): readonly string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
}
