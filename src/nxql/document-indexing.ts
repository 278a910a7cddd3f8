import { readableText } from '../base/html/html-text.ts'
import type { Document } from '../model/document.ts'
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
import { tokenise } from './fulltext/fulltext-tokens.ts'
import { defaultTextRules, type TextRules } from './query-settings.ts'

/** Words in their order, one blank between two, for each index that there is. */
export interface FulltextEntry {
  readonly everything: string
  readonly title: string
  readonly description: string
}

type Texted = Pick<Document, 'type' | 'facets' | 'properties'>

interface DocumentTexts {
  /** Whether the property can hold text. */
  isTexted(property: string): boolean
  /** Every text of the fields as a person reads it, by the names of the properties; none when the document is not to be found by its words. */
  textsOf(document: Texted): readonly string[]
  /** The same as words, with the texts of its files. */
  entryOf(document: Texted, texts: readonly string[], fileTexts: readonly string[]): FulltextEntry
}

/**
 * Stands between the words of two texts, so that no phrase reaches from one into the other. It is a word for the tokenizer of an
 * engine and none for ours, so no query can ask for it.
 */
export const endOfText = '¶'

const excludingFacet = 'NotFulltextIndexable'

export function createDocumentTexts(model: Model, rules: TextRules): DocumentTexts {
  const walks = textWalks(model)
  const excluded = new Set([...rules.excludedTypes, ...model.typesWithFacet(excludingFacet)])
  const included = new Set(rules.includedTypes)
  const isLeftOut = ({ type, facets }: Texted) =>
    excluded.has(type) || facets.includes(excludingFacet) || (included.size > 0 && !included.has(type))

  const wordsOf = (texts: readonly string[], known: KnownWords) => joinWords(cut(texts, rules.sizeLimit), known)
  const wordsAt = (document: Texted, property: string, known: KnownWords) => {
    const value = document.properties[property]
    return typeof value === 'string' ? wordsOf([readableText(value)], known) : ''
  }

  return {
    isTexted: (property) => walks.has(property),
    textsOf(document) {
      if (isLeftOut(document)) return []
      const texts: string[] = []
      // In an order of our own: engines give properties back in orders of theirs, and the last ones may be cut off.
      for (const name of Object.keys(document.properties).sort()) {
        walks.get(name)?.(document.properties[name] ?? null, (leaf) => {
          const text = isComplexValue(leaf) ? leaf['name'] : leaf
          if (typeof text === 'string' && text !== '') texts.push(readableText(text))
        })
      }
      return texts
    },
    entryOf(document, texts, fileTexts) {
      if (isLeftOut(document)) return { everything: '', title: '', description: '' }
      const known: KnownWords = new Map()
      const [ofFields, ofFiles] = [wordsOf(texts, known), wordsOf(fileTexts, known)]
      return {
        everything: ofFields === '' || ofFiles === '' ? ofFields + ofFiles : `${ofFields} ${endOfText} ${ofFiles}`,
        title: wordsAt(document, 'dc:title', known),
        description: wordsAt(document, 'dc:description', known),
      }
    },
  }
}

/** Files count by the names that people gave them. */
function textWalks(model: Model): ReadonlyMap<string, LeafWalk> {
  const walks = new Map<string, LeafWalk>()
  for (const schema of model.schemas.values()) {
    for (const { name, field } of model.propertiesOf(schema)) {
      if (field.hasWords === false) continue
      const walk = leafWalk(field.type, ({ kind }) => kind === 'string' || kind === 'blob')
      if (walk !== undefined) walks.set(name, walk)
    }
  }
  return walks
}

/** The words of a text that was taken apart before: title and description are among all texts. */
type KnownWords = Map<string, string>

function joinWords(texts: readonly string[], known: KnownWords): string {
  let joined = ''
  for (const text of texts) {
    const words = known.get(text) ?? tokenise(text).join(' ')
    known.set(text, words)
    if (words !== '') joined += joined === '' ? words : ` ${endOfText} ${words}`
  }
  return joined
}

/** As many of the texts as there is room for; the last one may end in the middle. */
function cut(texts: readonly string[], limit: number): readonly string[] {
  if (limit === 0) return texts
  const fitting: string[] = []
  let left = limit
  for (const text of texts) {
    if (text.length > left) {
      fitting.push(text.slice(0, left).toWellFormed())
      break
    }
    fitting.push(text)
    left -= text.length
  }
  return fitting
}

/** A text that a document has in a list, under the name of the list. */
export type ListedValue = readonly [name: string, value: string]

interface DocumentValues {
  /** The lists of which every item is indexed, as `listName` says them, and the keys and digests of all files. */
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

/** The name under which the values are indexed that clients ask for by theirs. */
export function askedName(name: string): string {
  return name === blobKeys ? blobDigests : name
}

/** The name under which the items of a list, or a member of its items, are indexed. */
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
      // What a plugin that is gone has left there: its files stay for the day it comes back.
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

/** What queries find documents by, beside what is in their row. */
export interface DocumentIndexing extends DocumentTexts, DocumentValues {
  /** Another text than before: all documents have other words now, although none has changed. */
  readonly textRules: string
}

// To be raised whenever other words are made of the same text.
const wordRules = 1

export function createDocumentIndexing(model: Model, rules: TextRules = defaultTextRules): DocumentIndexing {
  const { sizeLimit, excludedTypes, includedTypes } = rules
  return {
    ...createDocumentTexts(model, rules),
    ...createDocumentValues(model),
    textRules: JSON.stringify([wordRules, sizeLimit, excludedTypes.toSorted(), includedTypes.toSorted()]),
  }
}
