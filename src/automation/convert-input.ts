import { defineProblem } from '../base/problem.ts'
import type { OperationContext } from './context.ts'
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

/** What a method for the word is handed. @throws notConvertible and what looking documents up throws */
export async function readInput(word: InputWord, value: Value, converting: Converting): Promise<unknown> {
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
export async function resolveSentInput(session: Converting['session'], context: OperationContext, sent: Value): Promise<Value> {
  const converting = { session, context }
  if (sent.kind === 'string' && sent.text.startsWith('doc:')) {
    return { kind: 'document', document: await toDocument(converting, sent) }
  }
  if (sent.kind === 'string' && sent.text.startsWith('docs:')) {
    return { kind: 'documents', documents: await toDocuments(converting, sent) }
  }
  if (sent.kind === 'string' && /^blobs?:/.test(sent.text)) throw blobKeySent({ text: sent.text })
  if (sent.kind === 'entity' && sent.entityType === 'document') {
    return { kind: 'document', document: await toDocument(converting, sent) }
  }
  if (sent.kind === 'entity' && sent.entityType === 'documents') {
    return { kind: 'documents', documents: await toDocuments(converting, sent) }
  }
  return sent
}
