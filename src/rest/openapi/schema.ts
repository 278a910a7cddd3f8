import type { Json } from '../../base/json.ts'
import type { Problem } from '../../base/problem.ts'

// What a schema says beside JSON schema is under symbols: copies by `{ ...schema }` keep it, JSON and the documentation do not.
export const readingKey = Symbol('reading')
const optionalKey = Symbol('optional')
declare const valueKey: unique symbol

/**
 * A JSON schema: of a parameter, a body or an answer. What is sent is checked against the keywords named here; any others are for
 * the documentation.
 */
export interface Schema<Value = unknown> {
  readonly type?: unknown
  /** `int64`: integers that a number cannot hold are taken, too. */
  readonly format?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  /** A regular expression, somewhere in the text. */
  readonly pattern?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Fields
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
  /** What the documentation lists it under; other schemas refer to it by this name. */
  readonly $id?: string
  readonly [readingKey]?: Reading
  /** Of types only: what TypeScript knows of a value that was read. */
  readonly [valueKey]?: Value
}

export type Fields = { readonly [name: string]: Schema }

/** The mark of what may be left out. */
export interface MayBeAbsent {
  readonly [optionalKey]: true
}

export interface ObjectSchema<Known extends Fields = Fields> extends Schema<FieldValues<Known>> {
  readonly type: 'object'
  readonly properties: Known
}

/** What a value of the schema is in TypeScript. */
export type Static<Given extends Schema> = Given extends Schema<infer Value> ? Value : never

type FieldValues<Known extends Fields> = Flat<
  { readonly [Name in keyof Known as Known[Name] extends MayBeAbsent ? never : Name]: Static<Known[Name]> } & {
    readonly [Name in keyof Known as Known[Name] extends MayBeAbsent ? Name : never]?: Static<Known[Name]>
  }
>

type Flat<Given> = { readonly [Name in keyof Given]: Given[Name] }

/** How a value is read that a client sent, where the schema alone does not say. */
export interface Reading {
  /** What is not as the schema says counts as left out. */
  readonly isForgiving?: true
  /** The schema says what is usual; whatever else is JSON is taken, too. */
  readonly takesAny?: true
  /** The problem that clients know, in place of the general sentence. */
  readonly refuse?: (of: Refused) => Problem
  /** Of a parameter: older names, which count where those before them are absent. */
  readonly aliases?: readonly string[]
  /** Of a parameter: several values may stand in one, separated by commas; blank ones are none. */
  readonly isSplit?: true
  /** Of a parameter that is split: a blank one has its place, too. */
  readonly keepsBlanks?: true
  /** Of a parameter: what its name without a value means. */
  readonly whenBlank?: true
  /** Of a parameter: what its text means, also when that is blank; undefined where it means nothing. */
  readonly parse?: (text: string) => unknown
  /** Of a parameter: not one of a name, but all that were sent, the first of each name. */
  readonly isEverything?: true
  /** Of a header that may as well be a query parameter or a field of a form: its names, in lower case. */
  readonly twins?: readonly string[]
}

export interface Refused {
  readonly name: string
  /** Undefined when there is none. */
  readonly value: unknown
}

export function isOptional(schema: Schema): boolean {
  // Schemas that TypeBox made have a mark of their own.
  return optionalKey in schema || '~optional' in schema
}

/** JSON schema's further words, of which the lengths, bounds and patterns are checked. */
interface Keywords {
  readonly $id?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly deprecated?: true
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly additionalProperties?: boolean
}

/**
 * Writes schemas down: one declaration is the type that a handler gets, the check of what was sent, and the documentation.
 * @example
 * const invoice = Type.Object({
 *   number: Type.String({ maxLength: 20, description: 'As printed' }),
 *   lines: Type.Optional(Type.Array(Type.Object({ text: Type.String(), amount: Type.Number({ minimum: 0 }) }))),
 * })
 * type Invoice = Static<typeof invoice> // { number: string; lines?: readonly { text: string; amount: number }[] }
 */
export const Type = {
  String: (keywords?: Keywords): Schema<string> => ({ type: 'string', ...keywords }),
  Integer: (keywords?: Keywords): Schema<number> => ({ type: 'integer', ...keywords }),
  /** An integer that may be larger than a number can hold. */
  Long: (keywords?: Keywords): Schema<number | bigint> => ({ type: 'integer', format: 'int64', ...keywords }),
  Number: (keywords?: Keywords): Schema<number> => ({ type: 'number', ...keywords }),
  Boolean: (keywords?: Keywords): Schema<boolean> => ({ type: 'boolean', ...keywords }),
  Null: (): Schema<null> => ({ type: 'null' }),
  Unknown: (keywords?: Keywords): Schema => ({ ...keywords }),

  /** A date with its time, as this server writes them. */
  Moment: (keywords?: Keywords): Schema<string> => ({ type: 'string', format: 'date-time', ...keywords }),

  /** Any JSON. */
  Json: (keywords?: Keywords): Schema<Json> => ({ ...keywords }),

  /**
   * An object that is read by code that knows more about it than a schema can say: properties of documents, parameters of
   * operations.
   */
  Map: (keywords?: Keywords): Schema<{ readonly [name: string]: Json }> => ({
    type: 'object',
    additionalProperties: true,
    ...keywords,
  }),

  Literal: <const Value extends string>(value: Value): Schema<Value> & { readonly const: Value } => ({
    type: 'string',
    const: value,
  }),

  /** One of several words. */
  Enum: <const Value extends string>(values: readonly Value[], keywords?: Keywords): Schema<Value> => ({
    type: 'string',
    enum: values,
    ...keywords,
  }),

  Union: <const Given extends readonly Schema[]>(schemas: Given, keywords?: Keywords): Schema<Static<Given[number]>> => ({
    anyOf: schemas,
    ...keywords,
  }),

  Nullable: <Given extends Schema>(schema: Given, keywords?: Keywords): Schema<Static<Given> | null> => ({
    anyOf: [schema, { type: 'null' }],
    ...keywords,
  }),

  Array: <Given extends Schema>(items: Given, keywords?: Keywords): Schema<readonly Static<Given>[]> => ({
    type: 'array',
    items,
    ...keywords,
  }),

  Object<Known extends Fields>(properties: Known, keywords?: Keywords): ObjectSchema<Known> {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name] ?? {}))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...keywords }
  },

  /** An object with any names, whose values are alike. */
  Record: <Given extends Schema>(values: Given, keywords?: Keywords): Schema<{ readonly [name: string]: Static<Given> }> => ({
    type: 'object',
    additionalProperties: values,
    ...keywords,
  }),

  /** The schema with that `$id`. It is not looked into when something is read. */
  Ref: <Value = unknown>(id: string): Schema<Value> & { readonly $ref: string } => ({ $ref: id }),

  /** What may be left out: a property of an object, a parameter, or the whole body. */
  Optional: <Given extends Schema>(schema: Given): Given & MayBeAbsent => ({ ...schema, [optionalKey]: true }),

  /** The same, and what is of another type counts as left out, too: clients send such things and mean nothing by it. */
  Forgiving: <Given extends Schema>(schema: Given): Given & MayBeAbsent =>
    Type.Optional(withReading(schema, { isForgiving: true })),

  /** What the schema says is usual and documented; any other JSON is taken as well, and its reader makes of it what it can. */
  Leniently: (schema: Schema<Json>): Schema<Json> => withReading(schema, { takesAny: true }),

  /** A text that says something: blank counts as left out, as does what is no text. */
  Text: (keywords?: Keywords): Schema<string> & MayBeAbsent => Type.Forgiving(Type.String({ pattern: '\\S', ...keywords })),

  /** Refuses the value with a problem of its own where it is missing or of another type; what is inside of it says so itself. */
  Refused: <Given extends Schema>(schema: Given, refuse: (of: Refused) => Problem): Given => withReading(schema, { refuse }),

  /** A parameter that has older names, which count where those before them are absent. */
  Aliased: <Given extends Schema>(schema: Given, aliases: readonly string[]): Given => withReading(schema, { aliases }),

  /** A parameter with several values, repeated or separated by commas. */
  Names: (keywords?: Keywords): Schema<readonly string[]> & MayBeAbsent =>
    Type.Optional(withReading(Type.Array(Type.String(), keywords), { isSplit: true })),

  /** The same where each belongs to another one at its place, so that a blank one is not left out. */
  NamesInPlace: (keywords?: Keywords): Schema<readonly string[]> & MayBeAbsent =>
    Type.Optional(withReading(Type.Array(Type.String(), keywords), { isSplit: true, keepsBlanks: true })),

  /** A parameter that says yes by its name alone. */
  Flag: (keywords?: Keywords): Schema<boolean> & MayBeAbsent =>
    Type.Optional(withReading(Type.Boolean(keywords), { whenBlank: true })),

  /** A parameter that `true`, in any case, switches on; blank counts as left out, and anything else switches it off. */
  Switch: (keywords?: Keywords): Schema<boolean> & MayBeAbsent => Type.Parsed(parseSwitch, { type: 'boolean', ...keywords }),

  /**
   * A parameter with a reader of its own, which is given its text, blank or not, and gives nothing where that means nothing. What it
   * is shown as in the documentation stands beside it.
   */
  Parsed: <Value>(
    parse: (text: string) => Value | undefined,
    shown: Keywords & Pick<Schema, 'type' | 'enum'>,
  ): Schema<Value> & MayBeAbsent => ({ type: 'string', ...shown, [readingKey]: { parse }, [optionalKey]: true }),

  /** All parameters by their names, declared ones among them: of each the first that was sent. */
  Everything: (keywords?: Keywords): Schema<{ readonly [name: string]: string }> =>
    withReading(Type.Record(Type.String(), keywords), { isEverything: true }),

  /**
   * A header that may as well be a query parameter or a field of a form, under any of these names in whichever case. It is read by
   * `RenderWishes`, and not among what a handler is given.
   */
  Twin: <Given extends Schema>(schema: Given, names: readonly string[]): Given =>
    withReading(schema, { twins: names.map((name) => name.toLowerCase()) }),
}

function parseSwitch(text: string): boolean | undefined {
  return text.trim() === '' ? undefined : text.trim().toLowerCase() === 'true'
}

function withReading<Given extends Schema>(schema: Given, reading: Reading): Given {
  return { ...schema, [readingKey]: { ...schema[readingKey], ...reading } }
}
