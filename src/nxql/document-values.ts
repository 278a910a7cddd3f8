import type { Model } from '../model/model.ts'
import {
  type BlobValue,
  blobsIn,
  isBlobValue,
  isComplexValue,
  type Properties,
  type PropertyValue,
} from '../model/properties/property.ts'
import { type LeafWalk, leafWalk } from '../model/properties/value-bounds.ts'
import type { PropertyDefinition } from '../model/shape.ts'

/** A text that a document has in a list, under the name of the list. */
export type ListedValue = readonly [name: string, value: string]

export interface DocumentValues {
  /** The lists of which every item is kept, as `listName` says them, and the keys and digests of all files. */
  readonly names: ReadonlySet<string>
  /** Whether the property is one of those lists, or can hold files. */
  isListed(property: string): boolean
  /** Each once. */
  valuesOf(properties: Properties): readonly ListedValue[]
  blobsOf(properties: Properties): readonly BlobValue[]
}

/** What names files in the blob store. */
export const blobKeys = 'ecm:blobKeys'

/** What clients know files by: they ask for `ecm:blobKeys` and mean these, as they are never shown any other. */
export const blobDigests = 'ecm:blobDigests'

/** Those of the keys that an earlier program gave, by the MD5: all that is left of them is found at once. */
export const oldBlobKeys = 'ecm:oldBlobKeys'
const oldKeyLength = 32

/** Under which name the values are kept that clients ask for by theirs. */
export function askedName(name: string): string {
  return name === blobKeys ? blobDigests : name
}

/** The name under which the items of a list, or a member of its items, are kept. */
export function listName(property: string, member?: string): string {
  return member === undefined ? property : `${property}/*/${member}`
}

interface List {
  readonly name: string
  textsOf(value: PropertyValue): ReadonlySet<string>
}

/** Finds the values of lists that schemas declare `indexed`, and of the members of their items that do. */
export function createDocumentValues(model: Model): DocumentValues {
  const lists = new Map<string, readonly List[]>()
  const files = new Map<string, LeafWalk>()
  const known = new Set<string>()
  for (const schema of model.schemas.values()) {
    for (const property of model.propertiesOf(schema)) {
      known.add(property.name)
      const ofProperty = indexedLists(property)
      if (ofProperty.length > 0) lists.set(property.name, ofProperty)
      const walk = leafWalk(property.field.type, ({ kind }) => kind === 'blob')
      if (walk !== undefined) files.set(property.name, walk)
    }
  }

  function blobsOf(properties: Properties): readonly BlobValue[] {
    const blobs: BlobValue[] = []
    for (const [name, value] of Object.entries(properties)) {
      files.get(name)?.(value, (leaf) => {
        if (isBlobValue(leaf)) blobs.push(leaf)
      })
      // What a plugin that is gone has left there: its files are kept for the day it comes back.
      if (!known.has(name)) blobs.push(...blobsIn(value))
    }
    return blobs
  }

  return {
    names: new Set([...[...lists.values()].flat().map(({ name }) => name), blobKeys, blobDigests, oldBlobKeys]),
    isListed: (property) => lists.has(property) || files.has(property) || !known.has(property),
    valuesOf(properties) {
      const values: ListedValue[] = []
      for (const [property, value] of Object.entries(properties)) {
        for (const { name, textsOf } of lists.get(property) ?? []) {
          for (const text of textsOf(value)) values.push([name, text])
        }
      }
      const blobs = blobsOf(properties)
      for (const key of new Set(blobs.map((blob) => blob.key))) {
        values.push([blobKeys, key])
        if (key.length === oldKeyLength) values.push([oldBlobKeys, key])
      }
      for (const digest of new Set(blobs.map((blob) => blob.digest))) values.push([blobDigests, digest])
      return values
    },
    blobsOf,
  }
}

function indexedLists({ name, field }: PropertyDefinition): readonly List[] {
  const { type } = field
  if (type.kind !== 'list') return []
  const { item } = type
  if (item.type.kind === 'string') return field.indexed ? [{ name: listName(name), textsOf: textsIn }] : []
  if (item.type.kind !== 'complex') return []
  return item.type.fields
    .filter((member) => member.indexed && member.type.kind === 'string')
    .map((member) => ({ name: listName(name, member.name), textsOf: (items) => textsIn(membersOf(items, member.name)) }))
}

function textsIn(value: PropertyValue): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [])
}

function membersOf(items: PropertyValue, name: string): readonly PropertyValue[] {
  return Array.isArray(items) ? items.map((item) => (isComplexValue(item) ? (item[name] ?? null) : null)) : []
}
