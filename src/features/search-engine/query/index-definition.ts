import { createHash } from 'node:crypto'
import type { Model } from '../../../model/model.ts'
import type { DocumentIndexing } from '../../../nxql/document-indexing.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { fieldsOf } from './indexed-fields.ts'

/** What the engine is told of an index. */
export interface EngineIndexDefinition {
  readonly settings: object
  readonly mappings: object
}

// To be raised whenever documents are sent otherwise than before.
const formatVersion = 3

/** The engine refuses longer words; no query that has one is sent to it. */
export const longestWord = 8_000

// Dates are ISO text here as in the database, and compare as texts do. What is compared as a double is exact up to 2^53.
const engineTypes: Readonly<Record<ValueType, object>> = {
  string: { type: 'keyword' },
  date: { type: 'keyword' },
  long: { type: 'double' },
  double: { type: 'double' },
  boolean: { type: 'boolean' },
}

const keyword = { type: 'keyword' }
const words = { type: 'text', analyzer: 'words', norms: false }

/**
 * Words come normalised, as the database has them, with a blank between two: the engine takes them as they are. Whatever is not named here
 * is refused, so that nothing is found by something nobody meant to be.
 */
export function indexDefinition(model: Model): EngineIndexDefinition {
  const fields = [...fieldsOf(model).values()]
  const texts = fields.filter(({ type, isList }) => type === 'string' && !isList)
  return {
    settings: {
      index: {
        refresh_interval: '1s',
        // A removal is remembered for so long, should an older state of the document come late.
        gc_deletes: '1h',
        mapping: { total_fields: { limit: fields.length * 2 + 200 } },
        max_result_window: resultWindow,
      },
      analysis: {
        tokenizer: { words: { type: 'whitespace', max_token_length: longestWord } },
        analyzer: { words: { type: 'custom', tokenizer: 'words' } },
      },
    },
    mappings: {
      dynamic: 'strict',
      properties: {
        seq: { type: 'long' },
        acp: { type: 'long' },
        facets: keyword,
        /** Names of what has a value. */
        present: keyword,
        /** Paths that the document is below. */
        ancestors: keyword,
        /** `2/workspaces` */
        segments: keyword,
        series: keyword,
        p: { dynamic: 'strict', properties: Object.fromEntries(fields.map(({ name, type }) => [name, engineTypes[type]])) },
        l: {
          dynamic: 'strict',
          properties: Object.fromEntries(texts.map(({ name }) => [name, { ...keyword, doc_values: false }])),
        },
        f: { dynamic: 'strict', properties: { everything: words, title: words, description: words } },
      },
    },
  }
}

/** How far the engine pages; what lies behind it the database finds. */
export const resultWindow = 10_000

/** Another text for another model or other rules of words: what was indexed before is of no use then. */
export function definitionSignature(model: Model, { textRules }: Pick<DocumentIndexing, 'textRules'>): string {
  const told = JSON.stringify([formatVersion, textRules, indexDefinition(model)])
  return createHash('sha256').update(told).digest('hex').slice(0, 16)
}
