import { inspect } from 'node:util'
import { vendorIdentifiers } from '../base/vendor.ts'
import type { SettingDeclarations, SettingsOf, SettingValues } from './define-settings.ts'
import { expectationOf } from './expectation.ts'
import { type KnownSetting, knownSettings } from './known-settings.ts'
import {
  type Offer,
  type Offers,
  offersIn,
  offersOfConfig,
  offersOfEnvironment,
  offersOfFlags,
  offersOfProperties,
} from './offers.ts'
import { illTypedSetting, secretOnCommandLine, unexpectedArgument } from './problems.ts'
import { type ParsedSetting, parseSettingValue } from './setting-value.ts'

/** Where values come from; what none of them gives has its default. */
export interface SettingSources {
  readonly flags?: readonly string[]
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly config?: ConfiguredValues
  /** What is declared elsewhere, as by plugins: it is read along, though no type knows its names. */
  readonly others?: readonly SettingDeclarations[]
}

/** The part of `quire.config.ts` that holds values. `file` is its name in messages. */
export interface ConfiguredValues {
  readonly file?: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly properties?: Readonly<Record<string, unknown>>
}

/** Everything that a command was told. */
export interface ReadCommandLine<Settings, Options> {
  readonly settings: Settings
  readonly options: Options
  /** The flag, variable or place in a file that gave a setting, by its name; absent where it has its default. */
  readonly origins: ReadonlyMap<string, string>
  /** Words that are no flags, in order. */
  readonly operands: readonly string[]
}

/**
 * Reads every setting of these groups: flag, then environment, then `quire.config.ts`, then default. In each place a
 * setting's own name goes before its property name.
 * @throws unknownSetting, illTypedSetting, unexpectedArgument with one line that names the place to correct.
 */
export function readSettings<const Groups extends readonly SettingDeclarations[]>(
  groups: Groups,
  sources: SettingSources,
): SettingsOf<Groups> {
  const { settings, operands } = readCommandLine(groups, {}, sources)
  if (operands[0] !== undefined) throw unexpectedArgument({ argument: operands[0] })
  return settings
}

/**
 * The same for a command that takes operands, and options beside its settings: flags that only the command line gives, never
 * the environment or a file.
 * @throws unknownSetting, illTypedSetting
 */
export function readCommandLine<const Groups extends readonly SettingDeclarations[], const Options extends SettingDeclarations>(
  groups: Groups,
  options: Options,
  { flags = [], environment = {}, config = {}, others = [] }: SettingSources,
): ReadCommandLine<SettingsOf<Groups>, SettingValues<Options>> {
  const known = knownSettings([...groups, ...others])
  const typeable = knownSettings([...groups, ...others, options])
  const file = config.file ?? 'quire.config.ts'
  const typed = offersOfFlags(typeable, flags)
  const inherited = offersOfEnvironment(known, environment)
  const configured = offersOfConfig(known, file, config.settings ?? {})

  const vendored = vendorIdentifiers(readVendor(known, [typed.named, inherited, configured]))
  const typedProperties = offersOfProperties(known, vendored, typed.properties)
  const configuredProperties = offersOfProperties(known, vendored, offersIn(file, config.properties ?? {}))

  const inOrder = [typed.named, typedProperties, inherited, configured, configuredProperties]
  const valuesOf = (some: readonly KnownSetting[]) =>
    Object.freeze(Object.fromEntries(some.map((setting) => [setting.name, readValue(setting, inOrder)])))
  return {
    // Each value was parsed by its own declaration.
    settings: valuesOf(known) as SettingsOf<Groups>,
    options: valuesOf(typeable.slice(known.length)) as SettingValues<Options>,
    origins: new Map(known.flatMap(({ name }) => originOf(name, inOrder))),
    operands: typed.operands,
  }
}

/** The word inside property names is itself a setting, so it is read before any of them. */
function readVendor(known: readonly KnownSetting[], inOrder: readonly Offers[]): string {
  const vendor = known.find((setting) => setting.name === 'vendor')
  return vendor === undefined ? 'platform' : String(readValue(vendor, inOrder))
}

function readValue(setting: KnownSetting, inOrder: readonly Offers[]): ParsedSetting | undefined {
  const { name, declaration, variable } = setting
  const offer = findOffer(name, inOrder)
  if (declaration.type === 'secret' && offer?.source === 'commandLine') {
    throw secretOnCommandLine({ origin: offer.origin, variable })
  }
  const given = offer === undefined ? declaration.default : offer.value
  if (given === undefined) return undefined
  const value = parseSettingValue(declaration, given)
  if (value !== undefined) return value
  const origin = offer?.origin ?? `the default of ${name}`
  throw illTypedSetting({ origin, shown: showGiven(setting, given), expected: expectationOf(declaration) })
}

function originOf(name: string, inOrder: readonly Offers[]): readonly (readonly [name: string, origin: string])[] {
  const offer = findOffer(name, inOrder)
  return offer === undefined ? [] : [[name, offer.origin]]
}

function findOffer(name: string, inOrder: readonly Offers[]): Offer | undefined {
  return inOrder.find((offers) => offers.has(name))?.get(name)
}

/** A value as a message may show it: never a secret, and of a URL nothing that stands before its host. */
function showGiven({ declaration }: KnownSetting, given: unknown): string {
  if (declaration.type === 'secret') return 'set'
  const text = typeof given === 'string' ? JSON.stringify(given) : inspect(given, { breakLength: Infinity })
  return declaration.type === 'url' ? text.replace(/^.*@/s, '"…@') : text
}
