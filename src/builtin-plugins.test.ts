import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { builtinPlugins } from './builtin-plugins.ts'
import type { Plugin } from './plugin/define-plugin.ts'

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

/** A plugin, and those it stands on. */
function withRequired(name: string): readonly Plugin[] {
  const plugin = builtinPlugins.find((one) => one.name === name)
  return plugin === undefined ? [] : [plugin, ...(plugin.requires ?? []).flatMap(withRequired)]
}

/** The types, schemas, facets and rights that what the plugin says about documents mentions. */
function namedBy({ documentTypes = [], documentTypeAdditions = [], facets = [], ...plugin }: Plugin): readonly string[] {
  const { permissions = [], visiblePermissions = [], versioningPolicies = [], initialContent = [], directories = [] } = plugin
  return [
    ...documentTypes.flatMap(({ extends: parent = [], schemas, subtypes, facets: own }) => [parent, schemas, subtypes, own]),
    ...documentTypeAdditions.flatMap(({ type, ...added }) => [type, Object.values(added)]),
    ...facets.flatMap(({ schemas }) => schemas),
    ...permissions.flatMap(({ includes }) => includes),
    ...visiblePermissions.flatMap(({ types }) => (types === '*' ? [] : types)),
    ...versioningPolicies.flatMap(({ types = [], schemas = [], facets: marked = [] }) => [types, schemas, marked]),
    ...directories.map(({ schema }) => schema),
    ...initialContent.flatMap(({ type, children }) => [type, children.map((child) => child.type)]),
  ].flat(2)
}

function definedBy({ documentTypes = [], schemas = [], facets = [], permissions = [] }: Plugin): readonly string[] {
  return [documentTypes, schemas, facets, permissions].flatMap((list) => list.map(({ name }) => name))
}

/** What is named all the same, and why it cannot be required. */
const namedUnrequired: ReadonlyMap<string, readonly string[]> = new Map([
  // Forms are saved as searches are, and saved searches are run by the search.
  ['search', ['SavedSearch']],
])

describe('built-in plugins', () => {
  test('are the folders of src/features, each by its own name', () => {
    assert.deepEqual(builtinPlugins.map(({ name }) => name).sort(), folders.toSorted())
  })

  test('are named in kebab case', () => {
    for (const { name } of builtinPlugins) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  for (const plugin of builtinPlugins) {
    const { name, requires = [] } = plugin
    test(`${name} requires the features it takes something from`, () => {
      assert.deepEqual(
        importedFeatures(name).filter((one) => !requires.includes(one)),
        [],
      )
    })

    test(`${name} names the types, schemas, facets and rights of plugins it requires, and its own`, () => {
      const known = new Set([...withRequired(name).flatMap(definedBy), ...(namedUnrequired.get(name) ?? [])])
      assert.deepEqual(
        namedBy(plugin).filter((one) => !known.has(one)),
        [],
      )
    })
  }
})
