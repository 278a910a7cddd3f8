import type { SettingDeclaration, SettingDeclarations } from './define-settings.ts'
import { duplicateSetting } from './problems.ts'

/** A declared setting with the names it goes by. */
export interface KnownSetting {
  readonly name: string
  /** Without its dashes: `upload-max-bytes`. */
  readonly flag: string
  readonly variable: string
  readonly declaration: SettingDeclaration
}

// What every command takes beside its settings.
const reservedFlags = ['help', 'property', 'version']

/** All settings of these groups, in the order of their declarations. */
export function knownSettings(groups: readonly SettingDeclarations[]): readonly KnownSetting[] {
  const known = groups.flatMap((group) => Object.entries(group).map(([name, declaration]) => named(name, declaration)))
  refuseSharedNames(known)
  return known
}

function named(name: string, declaration: SettingDeclaration): KnownSetting {
  const flag = name
    .replaceAll('.', '-')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
  return { name, flag, variable: `QUIRE_${flag.replaceAll('-', '_').toUpperCase()}`, declaration }
}

function refuseSharedNames(known: readonly KnownSetting[]): void {
  const owners = new Map(reservedFlags.map((flag) => [`--${flag}`, `--${flag}`]))
  for (const { name, flag, declaration } of known) {
    for (const taken of [`--${flag}`, declaration.property]) {
      if (taken === undefined) continue
      const other = owners.get(taken)
      if (other !== undefined) throw duplicateSetting({ name, other, as: taken })
      owners.set(taken, name)
    }
  }
}
