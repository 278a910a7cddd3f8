import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'

interface Locked {
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const readJson = (name: string) => JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8'))
const locked: Readonly<Record<string, Locked>> = readJson('package-lock.json').packages

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

  // Of one that is not named npm warns whoever installs, and leaves it to them what to think of it.
  test('has no install script of which package.json does not say whether it may run', () => {
    const { allowScripts } = readJson('package.json')
    const scripts = Object.entries(locked).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
    )
    assert.deepEqual(
      scripts.filter((name) => !(name in allowScripts)),
      [],
    )
  })
})

/** Where Node.js looks for a package, from one that uses it. */
function places(from: string, name: string): string[] {
  const folders = from.split('/node_modules/')
  return ['', ...folders.map((_, at) => `${folders.slice(0, at + 1).join('/node_modules/')}/`)].map(
    (folder) => `${folder}node_modules/${name}`,
  )
}
