import type { VendorIdentifiers } from '../base/vendor.ts'
import { splitCommandLine } from './command-line.ts'
import { expectationOf } from './expectation.ts'
import type { KnownSetting } from './known-settings.ts'
import { findNearestName } from './nearest-name.ts'
import { illTypedSetting, unknownSetting } from './problems.ts'

/** A value that one source offers, not yet read, and where it stands. */
export interface Offer {
  readonly source: 'commandLine' | 'environment' | 'config'
  readonly origin: string
  readonly value: unknown
}

/** What one source offers, by the name of a setting (or of a property). */
export type Offers = ReadonlyMap<string, Offer>

/** What was typed: by setting, by property, and the words that belong to no flag. */
export interface TypedOffers {
  readonly named: Offers
  readonly properties: Offers
  readonly operands: readonly string[]
}

export function offersOfFlags(known: readonly KnownSetting[], argv: readonly string[]): TypedOffers {
  const named = new Map<string, Offer>()
  const properties = new Map<string, Offer>()
  const { flags, operands } = splitCommandLine(known, argv)
  for (const { flag, typed, value } of flags) {
    if (flag === 'property') {
      const [name, offer] = parsePropertyFlag(value)
      properties.set(name, offer)
    } else {
      const setting = readKnown(known, 'flag', flag, typed)
      const joined = flagValue(setting, typed, value, named.get(setting.name))
      named.set(setting.name, { source: 'commandLine', origin: typed, value: joined })
    }
  }
  return { named, properties, operands }
}

/** A boolean's bare flag means true. Of a flag given twice the last one counts, but lists grow. */
function flagValue(setting: KnownSetting, typed: string, value: string | undefined, before: Offer | undefined): string {
  const { declaration } = setting
  if (value === undefined && declaration.type === 'boolean') return 'true'
  if (value === undefined) throw illTypedSetting({ origin: typed, shown: undefined, expected: expectationOf(declaration) })
  return declaration.type === 'list' && before !== undefined ? `${before.value},${value}` : value
}

function parsePropertyFlag(text: string | undefined): [string, Offer] {
  const found = /^([^=]+)=(.*)$/s.exec(text ?? '')
  if (found === null) {
    const shown = text === undefined ? undefined : JSON.stringify(text)
    throw illTypedSetting({ origin: '--property', shown, expected: 'a property and its value, as name=value' })
  }
  const [, name = '', value] = found
  return [name, { source: 'commandLine', origin: `--property ${name}`, value }]
}

// Variables of the test harness, which a server started by it must not stumble over.
const foreignVariables = /^QUIRE_TEST_/

/** An empty variable counts as absent: that is how compose files and service units leave one out. */
export function offersOfEnvironment(
  known: readonly KnownSetting[],
  environment: Readonly<Record<string, string | undefined>>,
): Offers {
  const offers = new Map<string, Offer>()
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('QUIRE_') || foreignVariables.test(variable)) continue
    const setting = readKnown(known, 'variable', variable, variable)
    if (value !== undefined && value !== '') offers.set(setting.name, { source: 'environment', origin: variable, value })
  }
  return offers
}

type Entries = Readonly<Record<string, unknown>>

export function offersOfConfig(known: readonly KnownSetting[], file: string, settings: Entries): Offers {
  const offers = offersIn(file, settings)
  for (const [name, { origin }] of offers) readKnown(known, 'name', name, origin)
  return offers
}

/** The entries of an object in a configuration file; one that is undefined was left out. */
export function offersIn(file: string, entries: Entries): Offers {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined)
  return new Map(given.map(([name, value]) => [name, { source: 'config', origin: `${name} in ${file}`, value }]))
}

/** Turns what is offered under property names, in this deployment's form or the neutral one, into offers by setting. */
export function offersOfProperties(known: readonly KnownSetting[], vendored: VendorIdentifiers, properties: Offers): Offers {
  const byProperty = settingsByProperty(known, vendored)
  const offers = new Map<string, Offer>()
  for (const [property, offer] of properties) {
    const setting = byProperty.get(property)
    if (setting === undefined) {
      throw unknownSetting({ origin: offer.origin, nearest: findNearestName(property, [...byProperty.keys()]) })
    }
    offers.set(setting.name, offer)
  }
  return offers
}

function settingsByProperty(known: readonly KnownSetting[], vendored: VendorIdentifiers): Map<string, KnownSetting> {
  const byProperty = new Map<string, KnownSetting>()
  for (const setting of known) {
    const { property } = setting.declaration
    if (property !== undefined) byProperty.set(property, setting).set(vendored(property), setting)
  }
  return byProperty
}

function readKnown(known: readonly KnownSetting[], by: 'name' | 'flag' | 'variable', text: string, origin: string): KnownSetting {
  const setting = known.find((candidate) => candidate[by] === text)
  if (setting !== undefined) return setting
  const nearest = findNearestName(
    text,
    known.map((candidate) => candidate[by]),
  )
  throw unknownSetting({ origin, nearest: nearest !== undefined && by === 'flag' ? `--${nearest}` : nearest })
}
