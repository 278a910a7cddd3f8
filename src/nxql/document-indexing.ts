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

/** The words of a text, apart and with a blank between two. */
interface TextWords {
  readonly apart: readonly string[]
  readonly joined: string
}

/** What an index has of a document, text by text. */
export type DocumentWords = { readonly [Index in keyof FulltextEntry]: readonly TextWords[] }

export function entryOf({ everything, title, description }: DocumentWords): FulltextEntry {
  return { everything: joinTexts(everything), title: joinTexts(title), description: joinTexts(description) }
}

type Texted = Pick<Document, 'type' | 'facets' | 'properties'>

interface DocumentTexts {
  /** Whether the property can hold text. */
  isTexted(property: string): boolean
  /** Every text of the fields as a person reads it, by the names of the properties; none when the document is not to be found by its words. */
  textsOf(document: Texted): readonly string[]
  /** The same as words, with the texts of its files. */
  wordsOf(document: Texted, texts: readonly string[], fileTexts: readonly string[]): DocumentWords
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

  /** Title and description are among all texts: what was taken apart for these is not taken apart again. */
  const wordsAt = ({ properties }: Texted, property: string, texts: readonly string[], words: readonly TextWords[]) => {
    const value = properties[property]
    if (typeof value !== 'string') return []
    const [text = ''] = cut([readableText(value)], rules.sizeLimit)
    return [words[texts.indexOf(text)] ?? wordsOfText(text)]
  }

  return {
    isTexted: (property) => walks.has(property),
    textsOf(document) {
      if (isLeftOut(document)) return []
      const texts: string[] = []
      const take = (leaf: PropertyValue) => {
        const text = isComplexValue(leaf) ? leaf['name'] : leaf
        if (typeof text === 'string' && text !== '') texts.push(readableText(text))
      }
      for (const { name, walk } of inOrder(document.properties, walks)) walk(document.properties[name] ?? null, take)
      return texts
    },
    wordsOf(document, texts, fileTexts) {
      if (isLeftOut(document)) return { everything: [], title: [], description: [] }
      const fieldTexts = cut(texts, rules.sizeLimit)
      const ofFields = wordsOfTexts(fieldTexts)
      return {
        everything: [...ofFields, ...cut(fileTexts, rules.sizeLimit).map(wordsOfText)],
        title: wordsAt(document, 'dc:title', fieldTexts, ofFields),
        description: wordsAt(document, 'dc:description', fieldTexts, ofFields),
      }
    },
  }
}

/** A property that can hold text. */
interface TextWalk {
  readonly name: string
  readonly walk: LeafWalk
  /** Where its texts stand among those of others. */
  readonly rank: number
}

/** Files count by the names that people gave them. */
function textWalks(model: Model): ReadonlyMap<string, TextWalk> {
  const walks = new Map<string, LeafWalk>()
  for (const schema of model.schemas.values()) {
    for (const { name, field } of model.propertiesOf(schema)) {
      if (field.hasWords === false) continue
      const walk = leafWalk(field.type, ({ kind }) => kind === 'string' || kind === 'blob')
      if (walk !== undefined) walks.set(name, walk)
    }
  }
  const names = [...walks.keys()].sort()
  return new Map(names.map((name, rank) => [name, { name, walk: walks.get(name) as LeafWalk, rank }]))
}

/**
 * In an order of our own: engines give properties back in orders of theirs, and the last texts may be cut off. Each is put where it
 * belongs when it is found, as there are few: to sort names took as long as to make the words of a short text.
 */
function inOrder(properties: Properties, walks: ReadonlyMap<string, TextWalk>): readonly TextWalk[] {
  const found: TextWalk[] = []
  for (const name of Object.keys(properties)) {
    const walk = walks.get(name)
    if (walk === undefined) continue
    let place = found.length
    for (; place > 0 && (found[place - 1] as TextWalk).rank > walk.rank; place--) found[place] = found[place - 1] as TextWalk
    found[place] = walk
  }
  return found
}

function wordsOfText(text: string): TextWords {
  const apart = tokenise(text)
  return { apart, joined: apart.length === 1 ? (apart[0] as string) : apart.join(' ') }
}

/** Who made a document has mostly changed it last, too, and contributed to it. */
function wordsOfTexts(texts: readonly string[]): readonly TextWords[] {
  const words: TextWords[] = []
  for (const text of texts) words.push(words[texts.indexOf(text)] ?? wordsOfText(text))
  return words
}

function joinTexts(texts: readonly TextWords[]): string {
  let all = ''
  for (const { joined } of texts) if (joined !== '') all += all === '' ? joined : ` ${endOfText} ${joined}`
  return all
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

/** What is to be found in a property. Most have neither. */
interface Listed {
  readonly lists: readonly List[]
  readonly files: LeafWalk | undefined
}

/** Finds the values of lists that schemas declare `indexed`, and of the members of their items that do. */
export function createDocumentValues(model: Model): DocumentValues {
  const listed = new Map<string, Listed | undefined>()
  for (const schema of model.schemas.values())
    for (const property of model.propertiesOf(schema)) listed.set(property.name, listedIn(property))

  function blobsOf(properties: Properties): readonly BlobValue[] {
    const blobs: BlobValue[] = []
    for (const name of Object.keys(properties)) {
      const found = listed.get(name)
      if (found !== undefined) {
        found.files?.(properties[name] ?? null, (leaf) => {
          if (isBlobValue(leaf)) blobs.push(leaf)
        })
        // What a plugin that is gone has left there: its files stay for the day it comes back.
      } else if (!listed.has(name)) blobs.push(...blobsIn(properties[name] ?? null))
    }
    return blobs
  }

  return {
    names: new Set([
      ...[...listed.values()].flatMap((property) => property?.lists ?? []).map(({ name }) => name),
      blobKeys,
      blobDigests,
      oldBlobKeys,
    ]),
    isListed: (property) => listed.get(property) !== undefined || !listed.has(property),
    valuesOf(properties) {
      const values: ListedValue[] = []
      for (const property of Object.keys(properties)) {
        for (const { name, textsOf } of listed.get(property)?.lists ?? []) {
          for (const text of textsOf(properties[property] ?? null)) values.push([name, text])
        }
      }
      const blobs = blobsOf(properties)
      return blobs.length === 0 ? values : [...values, ...namesOfFiles(blobs)]
    },
    blobsOf,
  }
}

function listedIn(property: PropertyDefinition): Listed | undefined {
  const lists = indexedLists(property)
  const files = leafWalk(property.field.type, ({ kind }) => kind === 'blob')
  return lists.length === 0 && files === undefined ? undefined : { lists, files }
}

function namesOfFiles(blobs: readonly BlobValue[]): readonly ListedValue[] {
  const names: ListedValue[] = []
  for (const key of new Set(blobs.map((blob) => blob.key))) {
    names.push([blobKeys, key])
    if (key.length === oldKeyLength) names.push([oldBlobKeys, key])
  }
  for (const digest of new Set(blobs.map((blob) => blob.digest))) names.push([blobDigests, digest])
  return names
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
  return Array.isArray(value) && value.length > 0 ? new Set(value.filter((item) => typeof item === 'string')) : noTexts
}

const noTexts: ReadonlySet<string> = new Set()

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
