import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { builtinPlugins } from './builtin-plugins.ts'

const features = join(import.meta.dirname, 'features')
const folders = readdirSync(features)

/** The features that the files of one take anything from, types included. Each is reached by its index.ts, as the floors have it. */
function importedFeatures(folder: string): readonly string[] {
  const files = readdirSync(join(features, folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const imported = sources.flatMap((file) => {
    const text = readFileSync(join(features, folder, file), 'utf8')
    return [...text.matchAll(/from '(?:\.\.\/)+([a-z0-9-]+)\/index\.ts'/g)].map(([, name]) => name ?? '')
  })
  return [...new Set(imported)].filter((name) => folders.includes(name)).sort()
}

describe('built-in plugins', () => {
  test('are the folders of src/features, each by its own name', () => {
    assert.deepEqual(builtinPlugins.map(({ name }) => name).sort(), folders.toSorted())
  })

  test('are named in kebab case', () => {
    for (const { name } of builtinPlugins) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  for (const { name, requires = [] } of builtinPlugins) {
    test(`${name} requires the features it takes something from`, () => {
      assert.deepEqual(
        importedFeatures(name).filter((one) => !requires.includes(one)),
        [],
      )
    })
  }
})
