import { isJsonObject, isObject, type Json } from '../../../base/json.ts'
import type { BlobValue, Properties, PropertyValue } from '../../../model/properties/property.ts'
import { isBlobValue } from '../../../model/properties/property.ts'

/** Where the bytes of a file are in an archive: each content once, by the digest that is its key. */
export function fileNameOf(key: string): string {
  return `blobs/${key.slice(0, 2)}/${key}`
}

const fileName = /^blobs\/([0-9a-f]{2})\/(\1[0-9a-f]{30}(?:[0-9a-f]{32})?)$/

/** The key of the file that has this name in an archive; undefined when it is no such name. */
export function keyOfFile(name: string): string | undefined {
  return fileName.exec(name)?.[2]
}

/**
 * Properties as they stand in an archive: as the API shows them, a file with its place in the archive in `data`. Members are in the order
 * of their names, as one engine keeps no other.
 */
export function archivedProperties(properties: Properties): Json {
  return archivedValue(properties)
}

function archivedValue(value: PropertyValue): Json {
  if (Array.isArray(value)) return value.map(archivedValue)
  if (!isObject(value)) return value as Json
  if (isBlobValue(value as PropertyValue)) return archivedFile(value as BlobValue)
  const members = Object.entries(value as Properties).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, archivedValue(member)]))
}

function archivedFile({ key, name, 'mime-type': mimeType, encoding, digest, digestAlgorithm, length }: BlobValue): Json {
  return { name, 'mime-type': mimeType, encoding, digestAlgorithm, digest, length, data: fileNameOf(key) }
}

/** The same back. What looks like a file and lies nowhere in the archive stays what it is. */
export function propertiesOfArchived(json: { readonly [name: string]: Json }): Properties {
  return valueOfArchived(json) as Properties
}

function valueOfArchived(json: Json): PropertyValue {
  if (Array.isArray(json)) return json.map(valueOfArchived)
  if (!isJsonObject(json)) return json as PropertyValue
  const file = fileOfArchived(json)
  if (file !== undefined) return file
  const members = isBlobValue(json as PropertyValue) ? withoutKey(json) : json
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, valueOfArchived(member)]))
}

/** The key of a file in a store is nothing that an archive can name: files are those that lie in it. */
function withoutKey({ key: _, ...members }: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return members
}

/** They go into headers of downloads. */
const [digestForm, algorithmForm] = [/^[0-9a-f]{32,128}$/i, /^[A-Z0-9-]{3,10}$/]

function fileOfArchived(json: { readonly [name: string]: Json }): BlobValue | undefined {
  const { data, digest, digestAlgorithm, length } = json
  const key = typeof data === 'string' ? keyOfFile(data) : undefined
  if (key === undefined || typeof digest !== 'string' || typeof digestAlgorithm !== 'string') return undefined
  if (!digestForm.test(digest) || !algorithmForm.test(digestAlgorithm)) return undefined
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) return undefined
  const text = (name: string) => (typeof json[name] === 'string' ? json[name] : null)
  return { key, name: text('name'), 'mime-type': text('mime-type'), encoding: text('encoding'), digest, digestAlgorithm, length }
}
