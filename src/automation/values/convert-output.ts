import type { Json } from '../../base/json.ts'
import { valueOfJson } from './sent-value.ts'
import { documentsValue, nothing, type Value } from './value.ts'
import type { Outputs, OutputWord } from './words.ts'

type Writer<Word extends OutputWord> = (output: NonNullable<Outputs[Word]>) => Value

const writers: { readonly [Word in Exclude<OutputWord, 'void'>]: Writer<Word> } = {
  document: (output) => ('kind' in output ? output : { kind: 'document', document: output }),
  documents: (found) => ('documents' in found ? documentsValue(found.documents, found) : documentsValue(found)),
  paginable: (found) => documentsValue(found.documents, found),
  blob: (blob) => ({ kind: 'blob', blob }),
  bloblist: (blobs) => ({ kind: 'blobs', blobs }),
  string: (text) => ({ kind: 'string', text }),
  boolean: (isTrue) => ({ kind: 'boolean', isTrue }),
  long: (number) => ({ kind: 'number', number }),
  integer: (number) => ({ kind: 'number', number }),
  date: (date) => ({ kind: 'date', date }),
  list: (items) => ({ kind: 'list', items: items.map(valueOfJson) }),
  map: (members) => valueOfJson(members),
  recordset: (rows) => ({ kind: 'rows', rows }),
  bulkstatus: (status) => ({ kind: 'bulkStatus', status }),
  businessadapter: ({ type, value }) => ({
    kind: 'entity',
    entityType: type,
    json: { 'entity-type': type, value: value as Json },
  }),
  object: (value) => value,
}

/** What a method of the word gave, as it goes on. */
export function valueOfOutput(word: Exclude<OutputWord, 'void'>, output: unknown): Value {
  return output === undefined || output === null ? nothing : writers[word](output as never)
}

/** What a method gave for each item of a list, as the list that goes on. */
export function valueOfOutputs(word: Exclude<OutputWord, 'void'>, outputs: readonly Value[]): Value {
  const values = outputs.filter(({ kind }) => kind !== 'nothing')
  switch (word) {
    case 'document':
    case 'documents':
      return documentsValue(
        values.flatMap((value) => {
          if (value.kind === 'documents') return value.documents
          return value.kind === 'document' ? [value.document] : []
        }),
      )
    case 'blob':
    case 'bloblist':
      return {
        kind: 'blobs',
        blobs: values.flatMap((value) => {
          if (value.kind === 'blobs') return value.blobs
          return value.kind === 'blob' ? [value.blob] : []
        }),
      }
    default:
      return { kind: 'list', items: values }
  }
}
