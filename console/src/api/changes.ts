import { useMutation, useQueryClient } from '@tanstack/react-query'
import { administrationKeys } from './administration/entity-pages.ts'
import { call, Problem } from './client.ts'
import { documentKeys } from './documents.ts'
import type { Document } from './types.ts'

export interface NewDocument {
  readonly parentId: string
  readonly type: string
  readonly name: string
  readonly properties: { readonly [xpath: string]: unknown }
}

export interface Change {
  readonly document: Pick<Document, 'uid' | 'changeToken'>
  readonly properties: { readonly [xpath: string]: unknown }
}

const all = { properties: '*' }

/** @throws Problem */
export function createDocument({ parentId, type, name, properties }: NewDocument): Promise<Document> {
  const json = { 'entity-type': 'document', type, name, properties }
  return call<Document>(`id/${encodeURIComponent(parentId)}`, { method: 'POST', json, headers: all })
}

/** Refused if somebody else has changed the document since it was read. @throws Problem */
export function changeDocument({ document: { uid, changeToken }, properties }: Change): Promise<Document> {
  const json = { 'entity-type': 'document', uid, changeToken, properties }
  return call<Document>(`id/${encodeURIComponent(uid)}`, { method: 'PUT', json, headers: all })
}

/** Removes a document for good. One that is gone already is removed. @throws Problem */
export async function removeDocument(id: string): Promise<void> {
  try {
    await call<undefined>(`id/${encodeURIComponent(id)}`, { method: 'DELETE' })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error
  }
}

/** Runs an operation that needs no document. @throws Problem */
export function runOperationAlone<Result>(name: string, params: { readonly [name: string]: unknown } = {}): Promise<Result> {
  return call<Result>(`automation/${name}`, { method: 'POST', json: { params, context: {} } })
}

/** Runs an operation on documents. @throws Problem */
export function runOperation<Result>(
  name: string,
  ids: readonly string[],
  params: { readonly [name: string]: unknown } = {},
): Promise<Result> {
  const input = ids.length === 1 ? `doc:${ids[0]}` : `docs:${ids.join(',')}`
  return call<Result>(`automation/${name}`, { method: 'POST', json: { input, params, context: {} } })
}

/** A change, after which everything that shows documents is asked for anew; of these, screens of administrators show some. */
export function useDocumentChange<Input, Result>(run: (input: Input) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () =>
      Promise.all([documentKeys.all, administrationKeys.all].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}
