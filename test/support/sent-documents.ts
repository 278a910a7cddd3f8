import assert from 'node:assert/strict'
import type { ApiAnswer } from '../../src/testing.ts'

let count = 0

/** A `document` entity as a client sends it to create one; a File with a name of its own unless told otherwise. */
export function aDocument(given: { readonly [field: string]: unknown } = {}) {
  return { 'entity-type': 'document', type: 'File', name: `document ${++count}`, ...given }
}

/** A `document` entity as a client sends it to change one. */
export function changesTo(properties: { readonly [name: string]: unknown }, others: { readonly [field: string]: unknown } = {}) {
  return { 'entity-type': 'document', properties, ...others }
}

/** Headers that ask for all that an entity shows of the document itself. */
export const inFull = { properties: '*', 'fetch-document': 'versionLabel,lock' }

/** The answer is the exception entity and nothing else. */
export function assertRefused(answer: ApiAnswer, status: number, message: string | RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.deepEqual(Object.keys(answer.body), ['entity-type', 'status', 'message'])
  assert.equal(answer.body['entity-type'], 'exception')
  assert.equal(answer.body.status, status)
  if (typeof message === 'string') assert.equal(answer.body.message, message)
  else assert.match(answer.body.message, message)
}

export function privilegeMissing(permission: string, user: string): string {
  return `Privilege '${permission}' is not granted to '${user}'`
}
