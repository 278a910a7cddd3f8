import { schemasOfWorkflow } from '../automation/workflow.ts'
import type { Services } from '../rest/services.ts'
import { type ContributionList, contributionLists, type ListName, listNames } from './contribution-lists.ts'
import type { Contributions, Plugin } from './define-plugin.ts'
import { findCommandsMistake } from './plugin-commands.ts'
import { pluginMistake } from './plugin-mistake.ts'
import { findSettingsMistake, ownValues } from './plugin-settings.ts'
import { findTablesMistake } from './plugin-tables.ts'

/** Checks what a configuration hands over, which may be anything. @throws pluginMistake */
export function parsePlugins(values: readonly unknown[]): readonly Plugin[] {
  return values.map((value, index) => parsePlugin(value, `number ${index + 1}`))
}

function parsePlugin(value: unknown, place: string): Plugin {
  if (typeof value !== 'object' || value === null) throw pluginMistake({ plugin: place, reason: 'is not made by definePlugin' })
  const {
    name,
    settings,
    tables,
    commands,
    console: _checkedWithTheModel,
    contribute,
    ...lists
  }: { readonly [key: string]: unknown } = { ...value }
  if (typeof name !== 'string' || name === '') throw pluginMistake({ plugin: place, reason: 'has no name' })
  const reason =
    (settings === undefined ? undefined : findSettingsMistake(settings)) ??
    (tables === undefined ? undefined : findTablesMistake(name, tables)) ??
    (commands === undefined ? undefined : findCommandsMistake(commands))
  if (reason !== undefined) throw pluginMistake({ plugin: name, reason })
  if (contribute !== undefined && typeof contribute !== 'function')
    throw pluginMistake({ plugin: name, reason: 'contribute must be a function' })
  requireLists(name, lists, [...listNames, 'requires'])
  return value as Plugin
}

function requireLists(plugin: string, lists: object, known: readonly string[]): void {
  for (const [key, list] of Object.entries(lists)) {
    if (!known.includes(key)) throw pluginMistake({ plugin, reason: `contributes ${key}, which does not exist` })
    if (!Array.isArray(list)) throw pluginMistake({ plugin, reason: `${key} must be a list` })
    requireDefinitions(plugin, key, list)
  }
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

/** The plugins with what they contribute once their settings are known. @throws pluginMistake */
export function withContributed(
  plugins: readonly Plugin[],
  settings: Readonly<Record<string, unknown>>,
  servicesFor: (plugin: string) => Services,
): readonly Plugin[] {
  return plugins.map((plugin) => {
    const { name, contribute } = plugin
    if (contribute === undefined) return plugin
    const contributed: unknown = contribute.call(plugin, ownValues(plugin, settings), servicesFor(name))
    if (typeof contributed !== 'object' || contributed === null || Array.isArray(contributed))
      throw pluginMistake({ plugin: name, reason: 'contribute must give an object with lists' })
    requireLists(name, contributed, listNames)
    return joined(plugin, contributed)
  })
}

function joined(plugin: Plugin, contributed: Partial<Contributions>): Plugin {
  const lists = Object.entries(contributed).map(([list, more]) => [list, [...(plugin[list as ListName] ?? []), ...more]])
  return { ...plugin, ...Object.fromEntries(lists) }
}

/** Joins the contributions of all plugins. @throws pluginMistake on a missing requirement or a name taken twice. */
export function gatherPlugins(plugins: readonly Plugin[]): Contributions {
  requireDistinctNames(plugins)
  requireRequirements(plugins)
  for (const list of listNames) requireDistinctContributions(plugins, list)
  const all = <List extends keyof Contributions>(list: List) =>
    plugins.flatMap((plugin) => (plugin[list] ?? []) as readonly unknown[])
  return withVariables(Object.fromEntries(listNames.map((list) => [list, all(list)])) as unknown as Contributions)
}

/** The variables of workflows are schemas and facets of their documents. */
function withVariables(contributions: Contributions): Contributions {
  const made = contributions.workflows.map(schemasOfWorkflow)
  return {
    ...contributions,
    schemas: [...contributions.schemas, ...made.flatMap(({ schemas }) => schemas)],
    facets: [...contributions.facets, ...made.flatMap(({ facets }) => facets)],
  }
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
