import type { SettingDeclaration, SettingDeclarations } from '../settings/define-settings.ts'
import type { Plugin } from './define-plugin.ts'

const types = Object.keys({
  string: true,
  integer: true,
  boolean: true,
  bytes: true,
  duration: true,
  list: true,
  choice: true,
  secret: true,
  url: true,
  json: true,
  jsonList: true,
} satisfies Record<SettingDeclaration['type'], true>)

/** What plugins can be told, a group for each that declares anything. */
export function settingsOf(plugins: readonly Pick<Plugin, 'settings'>[]): readonly SettingDeclarations[] {
  return plugins.flatMap(({ settings }) => (settings === undefined ? [] : [settings]))
}

/** Of all values those that the plugin declares. */
export function ownValues({ settings = {} }: Pick<Plugin, 'settings'>, values: Readonly<Record<string, unknown>>) {
  const own = Object.keys(settings).map((name) => [name, values[name]])
  return Object.freeze(Object.fromEntries(own)) // each was parsed by its declaration
}

/** What is wrong with what a plugin declares as its settings, as a reason that follows its name. */
export function findSettingsMistake(settings: unknown): string | undefined {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    return 'settings must be an object of names and declarations'
  for (const [name, declaration] of Object.entries(settings)) {
    if (!/^[a-z][a-zA-Z0-9.]*$/.test(name)) return `setting ${name} must have a name in camel case, such as ordersFolder`
    const { type, help, choices } = (declaration ?? {}) as { type?: unknown; help?: unknown; choices?: unknown }
    if (!types.includes(String(type))) return `setting ${name} has the type ${String(type)}, which is none of ${types.join(', ')}`
    if (typeof help !== 'string' || help === '') return `setting ${name} has no help: say what it is for`
    if (type === 'choice' && !Array.isArray(choices)) return `setting ${name} has no choices`
  }
  return undefined
}
