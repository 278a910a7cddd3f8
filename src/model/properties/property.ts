import type { IsoDate } from '../../base/iso-date.ts'
import { isObject } from '../../base/json.ts'

/**
 * The value of a property in memory and, as JSON, in the store. Dates are ISO text; a long beyond 2^53 is a `bigint`;
 * an unset scalar, blob or complex is `null`, an unset list is `[]`.
 */
export type PropertyValue =
  | null
  | string
  | number
  | bigint
  | boolean
  | IsoDate
  | readonly PropertyValue[]
  | { readonly [name: string]: PropertyValue }

/** A document's properties by prefixed name (`dc:title`). A name that is not there is unset. */
export type Properties = { readonly [prefixedName: string]: PropertyValue }

/** What a blob property holds: where the bytes are and how they are called. `key` names them in the blob store. */
export type BlobValue = {
  readonly key: string
  readonly name: string | null
  readonly 'mime-type': string | null
  readonly encoding: string | null
  readonly digest: string
  readonly digestAlgorithm: string
  readonly length: number
}

export function isComplexValue(value: PropertyValue | undefined): value is { readonly [name: string]: PropertyValue } {
  return isObject(value)
}

export function isBlobValue(value: PropertyValue | undefined): value is BlobValue {
  return isComplexValue(value) && typeof value['key'] === 'string' && typeof value['digest'] === 'string'
}

/** Whether nothing is there: null, an empty list, or a complex value none of whose members is set. */
export function isUnset(value: PropertyValue | undefined): boolean {
  if (value === undefined || value === null) return true
  if (Array.isArray(value)) return value.length === 0
  if (!isComplexValue(value)) return false
  for (const name in value) if (!isUnset(value[name])) return false
  return true
}

/** Whether two values are the same to a client: key order does not count, and all that is unset reads alike. */
export function sameValue(left: PropertyValue | undefined, right: PropertyValue | undefined): boolean {
  if (left === right) return true
  if (left === undefined || left === null) return isUnset(right)
  if (right === undefined || right === null) return isUnset(left)
  if (isNumeric(left) && isNumeric(right)) return sameNumber(left, right)
  if (Array.isArray(left) || Array.isArray(right)) return sameList(left, right)
  if (!isComplexValue(left) || !isComplexValue(right)) return false
  for (const name in left) if (!sameValue(left[name], right[name])) return false
  for (const name in right) if (!Object.hasOwn(left, name) && !isUnset(right[name])) return false
  return true
}

/** Names of the properties that are not the same in both. */
export function changedNames(before: Properties, after: Properties): ReadonlySet<string> {
  const names = new Set<string>()
  for (const name in before) if (!sameValue(before[name], after[name])) names.add(name)
  for (const name in after) if (!Object.hasOwn(before, name) && !isUnset(after[name])) names.add(name)
  return names
}

/** Whether one of the named properties holds other files than before, itself or somewhere inside: other bytes, or otherwise called. */
export function changesBlob(before: Properties, after: Properties, names: Iterable<string>): boolean {
  for (const name of names) if (filesIn(before[name]) !== filesIn(after[name])) return true
  return false
}

/** What clients are served: bytes, name, type and encoding. */
function filesIn(value: PropertyValue = null): string {
  return JSON.stringify(
    blobsIn(value).map((blob) => [blob.key, blob.name ?? null, blob['mime-type'] ?? null, blob.encoding ?? null]),
  )
}

/** Whether the second value still has all the bytes that the first has, itself or somewhere inside. */
export function keepsBlobs(before: PropertyValue, after: PropertyValue): boolean {
  const left = Map.groupBy(blobKeys(after), (key) => key)
  return blobKeys(before).every((key) => left.get(key)?.pop() !== undefined)
}

/** The value, when it is a blob, or those somewhere inside. */
export function blobsIn(value: PropertyValue): readonly BlobValue[] {
  if (Array.isArray(value)) return value.flatMap(blobsIn)
  if (isBlobValue(value)) return [value]
  return isComplexValue(value) ? Object.values(value).flatMap(blobsIn) : []
}

/** Whether any of them holds a file, itself or somewhere inside. */
export function hasFiles(properties: Properties): boolean {
  for (const name in properties) if (holdsFile(properties[name])) return true
  return false
}

/** Whether any that was written anew holds a file, or held one. */
export function movesFiles(before: Properties, after: Properties): boolean {
  if (before === after) return false
  for (const name in after) if (after[name] !== before[name] && (holdsFile(after[name]) || holdsFile(before[name]))) return true
  for (const name in before) if (!(name in after) && holdsFile(before[name])) return true
  return false
}

/** Asked of everything that is written: it makes no list of what it finds. */
function holdsFile(value: PropertyValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsFile)
  return isBlobValue(value) || hasFiles(value as Properties)
}

/** The bytes of all files in them; one that is there twice counts twice. */
export function bytesIn(properties: Properties): number {
  let bytes = 0
  for (const value of Object.values(properties)) {
    if (typeof value === 'object' && value !== null) for (const { length } of blobsIn(value)) bytes += length
  }
  return bytes
}

/** The value with other blobs in it; the very same one where none was changed. */
export function withBlobs(value: PropertyValue, change: (blob: BlobValue) => BlobValue): PropertyValue {
  if (isBlobValue(value)) return change(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => withBlobs(item, change))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isComplexValue(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, withBlobs(member, change)] as const)
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members)
}

function blobKeys(value: PropertyValue): readonly string[] {
  return blobsIn(value).map(({ key }) => key)
}

function isNumeric(value: PropertyValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

// A double such as 1e17 comes back from the store as digits, hence as a bigint; `===` would call it another number.
/** A double beyond 2^53 is read back from JSON as a bigint of the digits it was written with, which need not be its exact value. */
function sameNumber(left: number | bigint, right: number | bigint): boolean {
  return (left <= right && left >= right) || String(left) === String(right)
}

function sameList(left: PropertyValue, right: PropertyValue): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  return left.every((item, index) => sameValue(item, right[index]))
}
