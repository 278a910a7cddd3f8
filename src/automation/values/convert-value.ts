import { isJsonObject } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { OperationContext } from '../run/context.ts'
import { readDocumentEntity, readReference } from './document-reference.ts'
import type { FlowingBlob } from './flowing-blob.ts'
import { jsonOfValue } from './sent-value.ts'
import { splitList } from './split-list.ts'
import type { Value } from './value.ts'

export const notConvertible = defineProblem(
  'notConvertible',
  'invalid',
  (of: { given: string; wanted: string }) => `A ${of.given} cannot be taken for a ${of.wanted}`,
)

/** Whoever converts: documents are looked up as the session's principal. */
export interface Converting {
  readonly session: Session
  readonly context: OperationContext
}

/** @throws notConvertible, documentNotFound, privilegeMissing */
export async function toDocument(converting: Converting, value: Value): Promise<Document> {
  const { session, context } = converting
  switch (value.kind) {
    case 'document':
      return value.document
    case 'string':
      return readReference(session, context, value.text.replace(/^doc:/, ''))
    case 'entity':
      return readDocumentEntity(session, context, value.json)
    case 'documents':
    case 'list': {
      const documents = await toDocuments(converting, value)
      if (documents.length === 1 && documents[0] !== undefined) return documents[0]
    }
  }
  throw notConvertible({ given: value.kind, wanted: 'document' })
}

/** @throws notConvertible, documentNotFound, privilegeMissing */
export async function toDocuments(converting: Converting, value: Value): Promise<readonly Document[]> {
  switch (value.kind) {
    case 'documents':
      return value.documents
    case 'string':
      return readAll(converting, everyReference(value.text))
    case 'list':
      return readAll(converting, value.items)
    case 'entity': {
      const { entries } = value.json
      if (!listEntities.has(value.entityType) || !Array.isArray(entries)) return [await toDocument(converting, value)]
      return readAll(
        converting,
        entries.map((json) => ({ kind: 'entity', entityType: 'document', json })),
      )
    }
    default:
      return [await toDocument(converting, value)]
  }
}

const listEntities: ReadonlySet<string> = new Set(['documents', 'docs'])

/** A comma at the end names nothing. */
function everyReference(text: string): readonly Value[] {
  return splitList(text.replace(/^docs?:/, ''))
    .filter((reference) => reference !== '')
    .map((reference) => ({ kind: 'string', text: reference }))
}

/** One that is named many times is looked up once. @throws callTakesTooMuch */
async function readAll(converting: Converting, values: readonly Value[]): Promise<readonly Document[]> {
  const { budget } = converting.context
  const named = new Map<string, Document>()
  const documents: Document[] = []
  for (const value of values) {
    const known = value.kind === 'string' ? named.get(value.text) : undefined
    const document = known ?? (await toDocument(converting, value))
    if (value.kind === 'string') named.set(value.text, document)
    documents.push(document)
    if (known !== undefined) continue
    budget.give([document])
    const turn = budget.work(1)
    if (turn !== undefined) await turn
  }
  return documents
}

/** @throws notConvertible */
export async function toBlob(converting: Converting, value: Value): Promise<FlowingBlob> {
  if (value.kind === 'blob') return value.blob
  if (value.kind === 'blobs' && value.blobs.length === 1 && value.blobs[0] !== undefined) return value.blobs[0]
  const found = await findSentBlob(converting, value)
  if (found === undefined) throw notConvertible({ given: value.kind, wanted: 'blob' })
  return found
}

/** Of a list only the blobs count. */
export async function toBlobs(converting: Converting, value: Value): Promise<readonly FlowingBlob[]> {
  if (value.kind === 'blobs') return value.blobs
  if (value.kind !== 'list') return [await toBlob(converting, value)]
  const found: FlowingBlob[] = []
  for (const item of value.items) {
    const blob = item.kind === 'blob' ? item.blob : await findSentBlob(converting, item)
    if (blob !== undefined) found.push(blob)
  }
  return found
}

/** A file that a request describes: an object, or the address of a download. */
async function findSentBlob({ session, context }: Converting, value: Value): Promise<FlowingBlob | undefined> {
  if (value.kind === 'string') return context.host.findBlob(session, { data: value.text })
  const json = value.kind === 'map' || value.kind === 'entity' ? jsonOfValue(value) : undefined
  return isJsonObject(json) ? context.host.findBlob(session, json) : undefined
}

/** Scalars as they are written; undefined for what is none. */
export function findText(value: Value): string | undefined {
  switch (value.kind) {
    case 'string':
      return value.text
    case 'number':
      return String(value.number)
    case 'boolean':
      return String(value.isTrue)
    case 'date':
      return value.date
    case 'document':
      return value.document.id
    default:
      return undefined
  }
}
