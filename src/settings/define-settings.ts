import type { Json } from '../base/json.ts'
import type { DurationUnit, Milliseconds } from './duration.ts'

/** What a setting of several parts holds. */
export type SettingObject = { readonly [name: string]: Json }

interface Described {
  readonly help: string
  /** The name this setting also has in the API's own vocabulary, in its neutral form: `platform.csrf.token.enabled`. */
  readonly property?: string
}

/**
 * What one setting is. Without a `default` it may stay undefined. Sizes and durations are declared as a person writes them,
 * and arrive as bytes and milliseconds.
 */
export type SettingDeclaration = Described &
  (
    | { readonly type: 'string'; readonly default?: string; readonly pattern?: Pattern }
    | { readonly type: 'integer'; readonly default?: number; readonly min?: number; readonly max?: number }
    | { readonly type: 'boolean'; readonly default?: boolean }
    | { readonly type: 'bytes'; readonly default?: string; readonly min?: string; readonly max?: string }
    /** `bareUnit` is what a number without a unit means, for properties that have always been given so. */
    | {
        readonly type: 'duration'
        readonly default?: string
        readonly bareUnit?: DurationUnit
        readonly min?: string
        readonly max?: string
      }
    /** `always` are entries that are there whatever was given. */
    | {
        readonly type: 'list'
        readonly default?: readonly string[]
        readonly always?: readonly string[]
        readonly pattern?: Pattern
      }
    | { readonly type: 'choice'; readonly default?: string; readonly choices: readonly string[] }
    /** Text that is never printed, and never taken from the command line, where every user of the machine could read it. */
    | { readonly type: 'secret'; readonly default?: string }
    | { readonly type: 'url'; readonly default?: string; readonly protocols?: readonly string[] }
    /** What has parts: an object in `quire.config.ts`, and its JSON elsewhere. Who reads it checks what is in it. */
    | { readonly type: 'json'; readonly default?: undefined }
    /** Several of them, in a list. */
    | { readonly type: 'jsonList'; readonly default?: undefined }
  )

/** A rule for text that the type alone does not give, and the words for it: `must be ${expected}`. */
export interface Pattern {
  readonly matches: { test(text: string): boolean }
  readonly expected: string
}

export interface SettingDeclarations {
  readonly [name: string]: SettingDeclaration
}

interface ValueTypes {
  string: string
  integer: number
  boolean: boolean
  bytes: number
  duration: Milliseconds
  list: readonly string[]
  secret: string
  url: string
  json: SettingObject
  jsonList: readonly SettingObject[]
}

type GivenValue<Declaration> = Declaration extends { type: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice
  : Declaration extends { type: infer Type extends keyof ValueTypes }
    ? ValueTypes[Type]
    : never

type SettingValue<Declaration> = Declaration extends { default: unknown }
  ? GivenValue<Declaration>
  : GivenValue<Declaration> | undefined

/** The values that a group of declarations yields, by name. */
export type SettingValues<Declarations extends SettingDeclarations> = {
  readonly [Name in keyof Declarations]: SettingValue<Declarations[Name]>
}

/** The values of several groups together. */
export type SettingsOf<Groups extends readonly SettingDeclarations[], Before = unknown> = Groups extends readonly [
  infer First extends SettingDeclarations,
  ...infer Rest extends readonly SettingDeclarations[],
]
  ? // The last thing that is done, so that there may be more than 50 groups.
    SettingsOf<Rest, Before & SettingValues<First>>
  : Before

/** Gives of all values those of a group, typed by its declarations. */
export type ValuesOf = <Declarations extends SettingDeclarations>(declarations: Declarations) => SettingValues<Declarations>

/** Of values that were read by their declarations, whichever groups these are in. */
export function valuesIn(values: Readonly<Record<string, unknown>>): ValuesOf {
  return (declarations) => values as SettingValues<typeof declarations>
}

/**
 * Declares settings beside the code that uses them. The dotted camelCase name gives the flag (`--upload-max-bytes`), the
 * environment variable (`QUIRE_UPLOAD_MAX_BYTES`) and the key in `quire.config.ts`.
 * @example
 * export const uploadSettings = defineSettings({
 *   'upload.maxBytes': { type: 'bytes', default: '4 GiB', help: 'Largest file a client may send in one piece' },
 * })
 */
export function defineSettings<const Declarations extends SettingDeclarations>(declarations: Declarations): Declarations {
  return declarations
}
