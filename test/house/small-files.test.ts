import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const isTest = (file: string) => file.endsWith('.test.ts')
const sources = new Map(
  globSync('src/**/*.ts', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
)

/** A file worth opening alone has as many lines, or several readers, or a unit test that reads it as a rule of its own. */
const fewestLines = 40

// These list what a folder has; what they list stands beside them, one thing a file.
const isTableOfContents = (file: string) => /\/(?:index|program|content-model)\.ts$/.test(file)

/** Small files with one reader that stand alone all the same, and why. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['src/whole-program.ts', 'the bundle makes one script of all that it reads'],
])

const specifier = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'|new URL\(\s*'(\.{1,2}\/[^']+)'/g

function readersOf(): ReadonlyMap<string, ReadonlySet<string>> {
  const readers = new Map<string, Set<string>>()
  for (const [file, text] of sources) {
    if (isTest(file)) continue
    for (const [, imported, addressed] of text.matchAll(specifier)) {
      const target = relative(root, join(root, dirname(file), imported ?? addressed ?? ''))
      readers.set(target, (readers.get(target) ?? new Set()).add(file))
    }
  }
  return readers
}

function findSmallFiles(): readonly string[] {
  const readers = readersOf()
  return [...sources].flatMap(([file, text]) => {
    const [reader, ...others] = readers.get(file) ?? []
    const isReadOnce = reader !== undefined && others.length === 0 && dirname(reader) === dirname(file)
    if (isTest(file) || !isReadOnce || isTableOfContents(reader)) return []
    const hasOwnTest = existsSync(join(root, file.replace(/\.ts$/, '.test.ts')))
    return text.split('\n').length - 1 < fewestLines && !hasOwnTest ? [file] : []
  })
}

test('a file under 40 lines that one file of its folder reads stands there, or has its reason here', () => {
  assert.deepEqual(findSmallFiles().toSorted(), [...reasons.keys()])
})
