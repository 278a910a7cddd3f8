/** A JSON schema: of a parameter, a body or an answer. Those that TypeBox makes fit, too. */
export interface Schema {
  readonly type?: unknown
  readonly description?: string
  /** What the documentation lists it under; other schemas refer to it by this name. */
  readonly $id?: string
}

export interface ObjectSchema extends Schema {
  readonly type: 'object'
  readonly properties: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
}

/** Whatever else JSON schema knows: `minimum`, `format`, `examples`. */
type Keywords = { readonly [keyword: string]: unknown }

// Not enumerable: it says something about the place of the schema and is no part of it. TypeBox has the same mark.
const optionalMark = '~optional'

export function isOptional(schema: Schema): boolean {
  return optionalMark in schema
}

/**
 * Writes schemas down. They are declared for each address when the server starts, so nothing is loaded for them; the program
 * that checks values against them comes with the first request that needs it (described-input.ts).
 */
export const Type = {
  String: (keywords?: Keywords): Schema => ({ type: 'string', ...keywords }),
  Integer: (keywords?: Keywords): Schema => ({ type: 'integer', ...keywords }),
  Number: (keywords?: Keywords): Schema => ({ type: 'number', ...keywords }),
  Boolean: (keywords?: Keywords): Schema => ({ type: 'boolean', ...keywords }),
  Null: (): Schema => ({ type: 'null' }),
  Unknown: (keywords?: Keywords): Schema => ({ ...keywords }),

  Literal: (value: string): Schema & { readonly const: string } => ({ type: 'string', const: value }),

  Union: (schemas: readonly Schema[], keywords?: Keywords): Schema & { readonly anyOf: readonly Schema[] } => ({
    anyOf: schemas,
    ...keywords,
  }),

  Array: (items: Schema, keywords?: Keywords): Schema & { readonly items: Schema } => ({ type: 'array', items, ...keywords }),

  Object(properties: { readonly [name: string]: Schema }, keywords?: Keywords): ObjectSchema {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name] ?? {}))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...keywords }
  },

  /** An object with any names, whose values are alike. */
  Record: (values: Schema, keywords?: Keywords): Schema & { readonly additionalProperties: Schema } => ({
    type: 'object',
    additionalProperties: values,
    ...keywords,
  }),

  /** The schema with that `$id`. */
  Ref: (id: string): Schema & { readonly $ref: string } => ({ $ref: id }),

  /** What may be left out: a property of an object, or the whole body. */
  Optional: <Given extends Schema>(schema: Given): Given => Object.defineProperty({ ...schema }, optionalMark, { value: true }),
}
