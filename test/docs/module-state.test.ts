import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, '../../src')
const memo = /\/\*\*[^/]*\bdeclared memo\b[^/]*\*\/\s*$/

/** What changes while the program runs: a variable, or a collection or cache that begins empty. */
const state =
  /^(?:export )?(?:let \w+|const \w+(?:: (?:Weak)?(?:Map|Set)<.*>)? = (?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|createCache)).*$/gm

test('no file has state at module scope but a declared memo', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: source, exclude: (name) => name.endsWith('.test.ts') })) {
    const text = await readFile(join(source, file), 'utf8')
    for (const { 0: line, index } of text.matchAll(state)) {
      if (!memo.test(text.slice(0, index))) found.push(`${file}: ${line}`)
    }
  }
  assert.deepEqual(found, [])
})
