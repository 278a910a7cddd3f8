import { type Converting, toBlobs, toDocuments } from './convert-value.ts'
import type { Value } from './value.ts'
import type { InputWord } from './words.ts'

/** What a list holds, one by one, for a method that takes one at a time. */
export async function toItems(word: InputWord, value: Value, converting: Converting): Promise<readonly Value[]> {
  if (word === 'document') return (await toDocuments(converting, value)).map((document) => ({ kind: 'document', document }))
  return (await toBlobs(converting, value)).map((blob) => ({ kind: 'blob', blob }))
}
