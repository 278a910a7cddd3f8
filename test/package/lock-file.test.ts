import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const locked: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../package-lock.json'), 'utf8'),
).packages

describe('the lock file', () => {
  // npm writes down only what the machine at hand can use when it changes a package while others are installed: elsewhere `npm ci` then
  // leaves out what the package cannot run without.
  test('names what each package needs on every kind of machine', () => {
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !places(path, name).some((place) => place in locked))
        .map((name) => `${path} needs ${name}`),
    )
    assert.deepEqual(missing, [])
  })
})

/** Where Node.js looks for a package, from one that uses it. */
function places(from: string, name: string): string[] {
  const folders = from.split('/node_modules/')
  return ['', ...folders.map((_, at) => `${folders.slice(0, at + 1).join('/node_modules/')}/`)].map(
    (folder) => `${folder}node_modules/${name}`,
  )
}
