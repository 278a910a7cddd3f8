import type { SettingDeclaration, SettingDeclarations } from './define-settings.ts'
import { knownSettings } from './known-settings.ts'
import type { ParsedSetting } from './setting-value.ts'

/** A setting as an operator may read it from outside: what it is, where it came from, and nothing that is secret. */
export interface ReportedSetting {
  readonly name: string
  readonly flag: string
  readonly variable: string
  readonly property: string | undefined
  readonly type: SettingDeclaration['type']
  readonly help: string
  /** In the form it was read in: sizes are bytes, durations milliseconds. Undefined where it is not set. */
  readonly value: ParsedSetting | undefined
  /** The flag, variable or file that gave it. Undefined where it has its default. */
  readonly origin: string | undefined
}

/** What stands for every secret. */
export const masked = '********'

/** All settings of these groups, in the order of their declarations. */
export function reportSettings(
  groups: readonly SettingDeclarations[],
  values: Readonly<Record<string, unknown>>,
  origins: ReadonlyMap<string, string>,
): readonly ReportedSetting[] {
  return knownSettings(groups).map(({ name, flag, variable, declaration }) => ({
    name,
    flag,
    variable,
    property: declaration.property,
    type: declaration.type,
    help: declaration.help,
    value: withoutSecrets(declaration, values[name] as ParsedSetting | undefined),
    origin: origins.get(name),
  }))
}

/** What has parts may hold secrets in any of them. */
function withoutSecrets({ type }: SettingDeclaration, value: ParsedSetting | undefined): ParsedSetting | undefined {
  if (value === undefined) return undefined
  if (type === 'secret' || type === 'json' || type === 'jsonList') return masked
  return typeof value === 'string' ? withoutCredentials(value) : value
}

/** An address with a user, a password or a query in it: the last may hold a key. */
function withoutCredentials(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  return text.replace(/(:\/\/)[^/?#]*@/, `$1${masked}@`).replace(/\?.*$/s, `?${masked}`)
}
