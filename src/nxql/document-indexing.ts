import type { Model } from '../model/model.ts'
import { createDocumentValues, type DocumentValues } from './document-values.ts'
import { createDocumentTexts, type DocumentTexts, defaultTextRules, type TextRules } from './fulltext/document-texts.ts'

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
