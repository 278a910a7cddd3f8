import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, '../../src')
const exportedType = /^export (?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm

/** Where each type is exported that a file of src declares. */
async function typesOfSource(): Promise<ReadonlyMap<string, readonly string[]>> {
  const places = new Map<string, string[]>()
  for await (const file of glob('**/*.ts', { cwd: source, exclude: (name) => name.endsWith('.test.ts') })) {
    const text = await readFile(join(source, file), 'utf8')
    for (const [, name = ''] of text.matchAll(exportedType)) {
      const known = places.get(name) ?? []
      places.set(name, [...known, file])
    }
  }
  return places
}

test('an exported type has a name of its own, so that one word means one thing', async () => {
  const types = await typesOfSource()
  assert.ok(types.size > 500)
  const shared = [...types].filter(([, files]) => files.length > 1).map(([name, files]) => `${name}: ${files.join(', ')}`)
  assert.deepEqual(shared, [])
})
