import type { VendorIdentifiers } from '../base/vendor.ts'
import type { PropertyValue } from './properties/property.ts'

export type ScalarKind = 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary'

export interface ScalarType {
  readonly kind: ScalarKind
  readonly constraints: readonly Constraint[]
  readonly resolver?: Resolver
}

export type FieldType =
  | ScalarType
  | { readonly kind: 'blob' }
  | { readonly kind: 'complex'; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly item: Field }

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly nillable: boolean
  readonly defaultValue: PropertyValue
  /** The store keeps an index on it, so that filtering and sorting by it does not read every document. */
  readonly indexed: boolean
  /** Few documents have it, and those alone are in its index: every document is written a little faster, and none is sorted by it. */
  readonly isSparse?: boolean
  /** False: its texts are no words that people look for, such as ids, and a full-text search does not find them. */
  readonly hasWords?: boolean
  /** Of a list: so many items at most, where that is more than lists usually may have. */
  readonly maxItems?: number
  /** Of a list of ids: the documents that it names say the same of this one. What gets another id is in none of them. */
  readonly isMutual?: boolean
  /** Of an indexed list of ids: versions that it names in a version stay while that does, though their live documents are gone. */
  readonly keepsVersions?: boolean
  /** Its name has the vendor's word in it, neutral here and in the store; clients know it by that of the deployment. */
  readonly namesVendor?: boolean
}

/** The name that clients know the field by. */
export function shownName({ name, namesVendor = false }: Field, vendored: VendorIdentifiers): string {
  return namesVendor ? vendored(name) : name
}

/** A rule on one scalar value. A null value satisfies all of them; only a field that is not nillable refuses null. */
export type Constraint =
  | { readonly kind: 'length'; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | ({ readonly kind: 'numericInterval' } & Interval<number>)
  /** Bounds are days, `YYYY-MM-DD`. */
  | ({ readonly kind: 'dateInterval' } & Interval<string>)

export interface Interval<Bound> {
  readonly minimum?: Bound
  readonly minimumInclusive?: boolean
  readonly maximum?: Bound
  readonly maximumInclusive?: boolean
}

/** A scalar that refers to something else. `validation: false` keeps the reference for fetching but accepts any value. */
export type Resolver =
  | { readonly kind: 'user'; readonly type: 'user' | 'group' | 'any'; readonly validation: boolean }
  | {
      readonly kind: 'directory'
      readonly directory: string
      readonly parentField?: string
      readonly separator?: string
      readonly validation: boolean
    }
  | { readonly kind: 'document'; readonly store: 'id' | 'path' | 'idOnly' | 'pathOnly'; readonly validation: boolean }

/** A field before it has a name: what the builders below make and a schema declares. */
export type FieldDeclaration = Omit<Field, 'name'>

interface FieldOptions {
  readonly nillable?: boolean
  /** `sparse` for what few documents have and what they are looked up by, such as the id of another. */
  readonly indexed?: boolean | 'sparse'
  readonly hasWords?: boolean
  readonly namesVendor?: boolean
}

interface ScalarOptions<Default extends PropertyValue> extends FieldOptions {
  readonly default?: Default
  readonly constraints?: readonly Constraint[]
  readonly resolver?: Resolver
}

interface StringOptions extends ScalarOptions<string> {
  readonly maxLength?: number
  readonly pattern?: string
  readonly values?: readonly string[]
}

export function string(options: StringOptions = {}): FieldDeclaration {
  const constraints: Constraint[] = [...(options.constraints ?? [])]
  if (options.maxLength !== undefined) constraints.push({ kind: 'length', maximum: options.maxLength })
  if (options.pattern !== undefined) constraints.push({ kind: 'pattern', pattern: options.pattern })
  if (options.values !== undefined) constraints.push({ kind: 'enum', values: options.values })
  return scalar('string', { ...options, constraints })
}

/** A long text: a string whose limit only stops the absurd. */
export const clob = (options: StringOptions = {}) => string({ maxLength: 999_999_999, ...options })
export const long = (options: ScalarOptions<number | bigint> = {}) => scalar('long', options)
export const double = (options: ScalarOptions<number> = {}) => scalar('double', options)
export const boolean = (options: ScalarOptions<boolean> = {}) => scalar('boolean', options)
export const date = (options: ScalarOptions<string> = {}) => scalar('date', options)
export const binary = (options: ScalarOptions<string> = {}) => scalar('binary', options)
export const blob = (options: FieldOptions = {}) => declare({ kind: 'blob' }, null, options)

/** A reference to a user, shown and fetched as one, whose existence is not checked unless `validation` says so. */
export const user = (options: FieldOptions & { type?: 'user' | 'group' | 'any'; validation?: boolean } = {}) =>
  string({ ...options, resolver: { kind: 'user', type: options.type ?? 'user', validation: options.validation ?? false } })

/** A reference to an entry of a directory by its id; behind a `separator` for entries below others (`art/cinema`). */
export const directoryEntry = (
  directory: string,
  options: FieldOptions & { parentField?: string; separator?: string; validation?: boolean } = {},
) => {
  const { parentField, separator, validation = true, ...fieldOptions } = options
  const hierarchy = { ...(parentField !== undefined && { parentField }), ...(separator !== undefined && { separator }) }
  return string({ ...fieldOptions, resolver: { kind: 'directory', directory, ...hierarchy, validation } })
}

export function complex(fields: { readonly [name: string]: FieldDeclaration }, options: FieldOptions = {}): FieldDeclaration {
  return declare({ kind: 'complex', fields: named(fields) }, null, options)
}

export function list(
  item: FieldDeclaration,
  options: FieldOptions & {
    readonly itemName?: string
    readonly default?: readonly PropertyValue[]
    readonly maxItems?: number
    readonly isMutual?: boolean
    readonly keepsVersions?: boolean
  } = {},
): FieldDeclaration {
  const { itemName = 'item', maxItems, isMutual = false, keepsVersions = false } = options
  const declared = declare({ kind: 'list', item: { ...item, name: itemName } }, options.default ?? [], options)
  return {
    ...declared,
    ...(maxItems !== undefined && { maxItems }),
    ...(isMutual && { isMutual }),
    ...(keepsVersions && { keepsVersions }),
  }
}

export function named(fields: { readonly [name: string]: FieldDeclaration }): readonly Field[] {
  return Object.entries(fields).map(([name, field]) => ({ name, ...field }))
}

export function isScalar(type: FieldType): type is ScalarType {
  return type.kind !== 'blob' && type.kind !== 'complex' && type.kind !== 'list'
}

function scalar(kind: ScalarKind, options: ScalarOptions<PropertyValue>): FieldDeclaration {
  const { constraints = [], resolver } = options
  return declare({ kind, constraints, ...(resolver && { resolver }) }, options.default ?? null, options)
}

function declare(type: FieldType, defaultValue: PropertyValue, options: FieldOptions): FieldDeclaration {
  const { nillable = true, indexed = false, hasWords = true, namesVendor = false } = options
  return {
    type,
    nillable,
    defaultValue,
    indexed: indexed !== false,
    ...(indexed === 'sparse' && { isSparse: true }),
    ...(!hasWords && { hasWords }),
    ...(namesVendor && { namesVendor }),
  }
}

/** Several fields declared alike, to be spread into a schema's fields. */
export function alike<Name extends string>(
  declaration: FieldDeclaration,
  ...names: readonly Name[]
): Record<Name, FieldDeclaration> {
  return Object.fromEntries(names.map((name) => [name, declaration])) as Record<Name, FieldDeclaration>
}
