import { defineProblem } from '../../base/problem.ts'
import { type Converting, findText, notConvertible, toBlob, toBlobs, toDocument, toDocuments } from './convert-value.ts'
import { jsonOfValue } from './sent-value.ts'
import type { Value } from './value.ts'
import type { Inputs, InputWord } from './words.ts'

type Reader<Word extends InputWord> = (value: Value, converting: Converting) => Inputs[Word] | Promise<Inputs[Word]>

const readers: { readonly [Word in InputWord]: Reader<Word> } = {
  void: () => undefined,
  document: (value, converting) => toDocument(converting, value),
  documents: (value, converting) => toDocuments(converting, value),
  paginable: (value) => {
    if (value.kind !== 'documents' || value.found === undefined) throw notConvertible({ given: value.kind, wanted: 'page' })
    return value.found
  },
  blob: (value, converting) => toBlob(converting, value),
  bloblist: (value, converting) => toBlobs(converting, value),
  string: (value) => {
    const text = findText(value)
    if (text === undefined) throw notConvertible({ given: value.kind, wanted: 'string' })
    return text
  },
  platformprincipal: (value) => requireEntity(value).json,
  businessadapter: (value) => {
    const { entityType, json } = requireEntity(value)
    const { value: object } = json
    if (typeof object !== 'object' || object === null || Array.isArray(object)) {
      throw notConvertible({ given: entityType, wanted: 'business object' })
    }
    return { type: entityType, value: object as Inputs['businessadapter']['value'] }
  },
  object: (value) => value,
}

function requireEntity(value: Value): { entityType: string; json: Inputs['platformprincipal'] } {
  if (value.kind === 'entity') return value
  const json = value.kind === 'map' ? jsonOfValue(value) : undefined
  if (json === undefined) throw notConvertible({ given: value.kind, wanted: 'entity' })
  return { entityType: 'user', json: json as Inputs['platformprincipal'] }
}

/** What a method for the word is handed, or a promise of it. @throws notConvertible and what looking documents up throws */
export function readInput(word: InputWord, value: Value, converting: Converting): unknown {
  return readers[word](value, converting)
}

export const blobKeySent = defineProblem(
  'blobKeySent',
  'forbidden',
  (of: { text: string }) =>
    `${of.text} names a file by its key, which is not for clients. Send the file, or its download address.`,
)

/**
 * The input of a request as the first operation finds it: documents that it names are looked up.
 * @throws documentNotFound, privilegeMissing, blobKeySent
 */
export function resolveSentInput(converting: Converting, sent: Value): Value | Promise<Value> {
  const word = wordOfReference(sent)
  if (word === 'document') return toDocument(converting, sent).then((document) => ({ kind: 'document', document }))
  if (word === 'documents') return toDocuments(converting, sent).then((documents) => ({ kind: 'documents', documents }))
  if (sent.kind === 'string' && /^blobs?:/.test(sent.text)) throw blobKeySent({ text: sent.text })
  return sent
}

/** Whether something that was sent names a document or several. */
function wordOfReference(sent: Value): 'document' | 'documents' | undefined {
  if (sent.kind === 'string') {
    return sent.text.startsWith('doc:') ? 'document' : sent.text.startsWith('docs:') ? 'documents' : undefined
  }
  if (sent.kind !== 'entity') return undefined
  return sent.entityType === 'document' || sent.entityType === 'documents' ? sent.entityType : undefined
}
