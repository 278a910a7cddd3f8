import { readableText } from '../../base/html-text.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { isComplexValue } from '../../model/properties/property.ts'
import { type LeafWalk, leafWalk } from '../../model/properties/value-bounds.ts'
import { tokenise } from './fulltext-tokens.ts'

/** What full text keeps of documents. */
export interface TextRules {
  /** Characters that are kept of the fields of a document, and as many of its files; 0 is no limit. */
  readonly sizeLimit: number
  /** Types of which nothing is kept, beside those that say so themselves. */
  readonly excludedTypes: readonly string[]
  /** When there are any, nothing is kept of others. */
  readonly includedTypes: readonly string[]
}

export const defaultTextRules: TextRules = { sizeLimit: 131_072, excludedTypes: [], includedTypes: [] }

/** Words in their order, one blank between two, for each index that there is. */
export interface FulltextEntry {
  readonly everything: string
  readonly title: string
  readonly description: string
}

export type Texted = Pick<Document, 'type' | 'facets' | 'properties'>

export interface DocumentTexts {
  /** Whether the property can hold text. */
  isTexted(property: string): boolean
  /** Every text of the fields as a person reads it, by the names of the properties; none when the document is not to be found by its words. */
  textsOf(document: Texted): readonly string[]
  /** The same as words, with the texts of its files. */
  entryOf(document: Texted, texts: readonly string[], fileTexts: readonly string[]): FulltextEntry
}

/**
 * Stands between the words of two texts, so that no phrase reaches from one into the other. It is a word for the tokenizer of an
 * engine and none for ours, so nobody can ask for it.
 */
export const endOfText = '¶'

const excludingFacet = 'NotFulltextIndexable'

export function createDocumentTexts(model: Model, rules: TextRules): DocumentTexts {
  const walks = textWalks(model)
  const excluded = new Set([...rules.excludedTypes, ...model.typesWithFacet(excludingFacet)])
  const included = new Set(rules.includedTypes)
  const isLeftOut = ({ type, facets }: Texted) =>
    excluded.has(type) || facets.includes(excludingFacet) || (included.size > 0 && !included.has(type))

  const wordsOf = (texts: readonly string[]) => joinWords(cut(texts, rules.sizeLimit))
  const wordsAt = (document: Texted, property: string) => {
    const value = document.properties[property]
    return typeof value === 'string' ? wordsOf([readableText(value)]) : ''
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
      const [ofFields, ofFiles] = [wordsOf(texts), wordsOf(fileTexts)]
      return {
        everything: ofFields === '' || ofFiles === '' ? ofFields + ofFiles : `${ofFields} ${endOfText} ${ofFiles}`,
        title: wordsAt(document, 'dc:title'),
        description: wordsAt(document, 'dc:description'),
      }
    },
  }
}

/** Files count by the names that people gave them. */
function textWalks(model: Model): ReadonlyMap<string, LeafWalk> {
  const walks = new Map<string, LeafWalk>()
  for (const schema of model.schemas.values()) {
    for (const { name, field } of model.propertiesOf(schema)) {
      const walk = leafWalk(field.type, ({ kind }) => kind === 'string' || kind === 'blob')
      if (walk !== undefined) walks.set(name, walk)
    }
  }
  return walks
}

function joinWords(texts: readonly string[]): string {
  const pieces: string[] = []
  for (const text of texts) {
    const words = tokenise(text)
    if (words.length > 0) pieces.push(words.join(' '))
  }
  return pieces.join(` ${endOfText} `)
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
