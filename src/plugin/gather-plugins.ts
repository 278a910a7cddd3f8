import { defineProblem } from '../base/problem.ts'
import type { Contributions, Plugin } from './define-plugin.ts'

/** A plugin that cannot be used, found at start: names the plugin and what to change in it. */
export const pluginMistake = defineProblem(
  'pluginMistake',
  'invalid',
  (of: { plugin: string; reason: string }) => `plugin ${of.plugin}: ${of.reason}`,
)

const listNames = [
  'schemas',
  'facets',
  'documentTypes',
  'documentTypeAdditions',
  'lifecycles',
  'permissions',
  'visiblePermissions',
  'versioningPolicies',
  'versioningRestrictions',
  'securityPolicies',
  'directories',
  'pageProviders',
  'initialContent',
  'blobInspectors',
  'importers',
  'textExtractors',
  'listeners',
  'serverListeners',
  'virtualUsers',
  'groupComputers',
  'jobs',
  'schedules',
  'bulkActions',
  'backgroundWork',
  'operations',
  'chains',
  'businessObjects',
  'uiActions',
  'routes',
  'resources',
  'adapters',
  'enrichers',
  'entityWriters',
  'downloadRules',
  'authenticators',
  'capabilities',
] as const satisfies readonly (keyof Contributions)[]

/** What names a contribution among its kind; two plugins cannot contribute the same one. */
const identities: { readonly [List in keyof Contributions]?: (one: Contributions[List][number]) => string } = {
  schemas: (one) => one.name,
  facets: (one) => one.name,
  documentTypes: (one) => one.name,
  lifecycles: (one) => one.name,
  permissions: (one) => one.name,
  versioningPolicies: (one) => one.id,
  versioningRestrictions: (one) => one.type,
  directories: (one) => one.name,
  blobInspectors: (one) => one.name,
  importers: (one) => one.name,
  textExtractors: (one) => one.name,
  listeners: (one) => one.name,
  serverListeners: (one) => one.name,
  virtualUsers: (one) => one.name,
  groupComputers: (one) => one.name,
  jobs: (one) => one.kind,
  schedules: (one) => one.name,
  bulkActions: (one) => one.name,
  backgroundWork: (one) => one.name,
  operations: (one) => one.id,
  chains: (one) => one.id,
  businessObjects: (one) => one.name,
  uiActions: (one) => one.id,
  routes: (one) => `${one.method} ${one.under === 'api' ? '/api/v1' : ''}${one.path}`,
  resources: (one) => one.segment,
  adapters: (one) => one.name,
  enrichers: (one) => `${one.entityType} ${one.name}`,
  entityWriters: (one) => one.entityType,
  downloadRules: (one) => one.name,
  authenticators: (one) => one.name,
  capabilities: (one) => one.name,
}

/** Checks what a configuration hands over, which may be anything. @throws pluginMistake */
export function parsePlugins(values: readonly unknown[]): readonly Plugin[] {
  return values.map((value, index) => parsePlugin(value, `number ${index + 1}`))
}

function parsePlugin(value: unknown, place: string): Plugin {
  if (typeof value !== 'object' || value === null) throw pluginMistake({ plugin: place, reason: 'is not made by definePlugin' })
  const { name, ...rest } = value as { name?: unknown }
  if (typeof name !== 'string' || name === '') throw pluginMistake({ plugin: place, reason: 'has no name' })
  for (const [key, list] of Object.entries(rest)) {
    const isKnown = key === 'requires' || (listNames as readonly string[]).includes(key)
    if (!isKnown) throw pluginMistake({ plugin: name, reason: `contributes ${key}, which does not exist` })
    if (!Array.isArray(list)) throw pluginMistake({ plugin: name, reason: `${key} must be a list` })
  }
  return value as Plugin
}

/** Joins the contributions of all plugins. @throws pluginMistake on a missing requirement or a name taken twice. */
export function gatherPlugins(plugins: readonly Plugin[]): Contributions {
  requireDistinctNames(plugins)
  requireRequirements(plugins)
  for (const list of listNames) requireDistinctContributions(plugins, list)
  const all = <List extends keyof Contributions>(list: List) =>
    plugins.flatMap((plugin) => (plugin[list] ?? []) as readonly unknown[])
  return Object.fromEntries(listNames.map((list) => [list, all(list)])) as unknown as Contributions
}

/** The plugin that contributes the named thing, to say who made a mistake that only shows when everything is joined. */
export function findContributor(plugins: readonly Plugin[], kind: string, name: string): string | undefined {
  const lists: { [kind: string]: 'schemas' | 'facets' | 'documentTypes' | 'lifecycles' | 'permissions' } = {
    schema: 'schemas',
    facet: 'facets',
    'document type': 'documentTypes',
    lifecycle: 'lifecycles',
    permission: 'permissions',
  }
  const list = lists[kind]
  if (kind === 'versioning restriction of') {
    return plugins.find((plugin) => plugin.versioningRestrictions?.some((one) => one.type === name))?.name
  }
  if (list === undefined) return plugins.find((plugin) => plugin.documentTypeAdditions?.some((one) => one.type === name))?.name
  return plugins.find((plugin) => plugin[list]?.some((one) => one.name === name))?.name
}

function requireDistinctNames(plugins: readonly Plugin[]): void {
  const seen = new Set<string>()
  for (const { name } of plugins) {
    if (seen.has(name)) throw pluginMistake({ plugin: name, reason: 'is there twice' })
    seen.add(name)
  }
}

function requireRequirements(plugins: readonly Plugin[]): void {
  const before = new Set<string>()
  for (const { name, requires = [] } of plugins) {
    for (const required of requires) {
      if (before.has(required)) continue
      const isLater = plugins.some((plugin) => plugin.name === required)
      throw pluginMistake({
        plugin: name,
        reason: `requires ${required}, which ${isLater ? 'must come before it' : 'is not there'}`,
      })
    }
    before.add(name)
  }
}

function requireDistinctContributions<List extends keyof Contributions>(plugins: readonly Plugin[], list: List): void {
  const identify = identities[list] as ((one: unknown) => string) | undefined
  if (identify === undefined) return
  const takenBy = new Map<string, string>()
  for (const plugin of plugins) {
    for (const one of plugin[list] ?? []) {
      const identity = identify(one)
      const other = takenBy.get(identity)
      if (other !== undefined)
        throw pluginMistake({ plugin: plugin.name, reason: `${list}: ${identity} is contributed by ${other} already` })
      takenBy.set(identity, plugin.name)
    }
  }
}
