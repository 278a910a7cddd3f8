import { defineProblem } from '../base/problem.ts'
import { type ContributionList, contributionLists, type ListName, listNames } from './contribution-lists.ts'
import type { Contributions, Plugin } from './define-plugin.ts'

/** A plugin that cannot be used, found at start: names the plugin and what to change in it. */
export const pluginMistake = defineProblem(
  'pluginMistake',
  'invalid',
  (of: { plugin: string; reason: string }) => `plugin ${of.plugin}: ${of.reason}`,
)

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
    requireDefinitions(name, key, list)
  }
  return value as Plugin
}

/** What is imported in a circle is not there yet when its plugin is made. */
function requireDefinitions(plugin: string, list: string, definitions: readonly unknown[]): void {
  const isDefinition = (one: unknown) => (list === 'requires' ? typeof one === 'string' : typeof one === 'object' && one !== null)
  const wrong = definitions.findIndex((one) => !isDefinition(one))
  if (wrong === -1) return
  const what = list === 'requires' ? 'name of a plugin' : 'definition'
  throw pluginMistake({
    plugin,
    reason: `number ${wrong + 1} of its ${list} is ${String(definitions[wrong])}, which is no ${what}`,
  })
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

/** The plugin that contributes a definition, to say who made a mistake that only shows when everything is joined. */
export function findContributor(plugins: readonly Plugin[], definition: object): string | undefined {
  return plugins.find((plugin) =>
    listNames.some((list) => (plugin[list] as readonly unknown[] | undefined)?.includes(definition)),
  )?.name
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

function requireDistinctContributions(plugins: readonly Plugin[], list: ListName): void {
  const takenBy = new Map<string, string>()
  for (const plugin of plugins) {
    for (const [index, one] of (plugin[list] ?? []).entries()) {
      const { identify, isUnique = true } = contributionLists[list] as ContributionList<unknown>
      const identity: unknown = identify(one)
      if (typeof identity !== 'string' || identity === '')
        throw pluginMistake({ plugin: plugin.name, reason: `number ${index + 1} of its ${list} has no name` })
      const other = isUnique ? takenBy.get(identity) : undefined
      if (other !== undefined)
        throw pluginMistake({ plugin: plugin.name, reason: `${list}: ${identity} is contributed by ${other} already` })
      takenBy.set(identity, plugin.name)
    }
  }
}
