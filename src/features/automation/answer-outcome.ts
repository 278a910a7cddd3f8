import type { Outcome } from '../../automation/run/call.ts'
import { jsonOfValue } from '../../automation/values/read-sent-properties.ts'
import { documentsValue, type Value } from '../../automation/values/value.ts'
import { accessTo } from '../../core/access.ts'
import type { Session } from '../../core/session.ts'
import { type Answer, entity, json, noContent } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { readHeaders } from '../../rest/payload/declared-input.ts'
import { writeBulkStatus } from '../../rest/render/bulk-status-entity.ts'
import { writeDocument } from '../../rest/render/document-entity.ts'
import { writeEntries } from '../../rest/render/documents-entity.ts'
import { writeRecordSet } from '../../rest/render/record-set-entity.ts'
import { createRenderContext, type RenderContext } from '../../rest/render/rendering.ts'
import { writeScalar } from '../../rest/render/value-entity.ts'
import { callHeaders } from '../../rest/request/declared-headers.ts'
import type { Answering } from '../../rest/request/exchange.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { answerBlob, answerBlobs } from './answer-blobs.ts'

const voidHeaders = Type.Object({ 'X-NXVoidOperation': callHeaders['X-NXVoidOperation'] })

/** The answer, or how it is made once all that the operation did is stored. */
type OutcomeAnswer = Answer | (() => Promise<Answer>)

/**
 * What an operation gave, as the answer to its caller (contract: operations 1.7). It is written in the session of the operation,
 * except for files: no transaction stays open for as long as it takes to send them.
 */
export async function answerOutcome(exchange: Answering, session: Session, { value, status }: Outcome): Promise<OutcomeAnswer> {
  if (readHeaders(voidHeaders, exchange.request)['X-NXVoidOperation']) return noContent()
  const files = filesOf(value)
  if (files !== undefined) {
    const afterwards = accessTo(session.repository, session.principal)
    return () => afterwards.read((later) => answerFiles(exchange, later, files))
  }
  return writeValue(exchange, session, value, status ?? 200)
}

/** What is answered after all. */
export function answerAtLast(answer: OutcomeAnswer): Answer | Promise<Answer> {
  return typeof answer === 'function' ? answer() : answer
}

type Files = Extract<Value, { kind: 'blob' | 'blobs' }>

function filesOf(value: Value): Files | undefined {
  if (value.kind === 'blob' || value.kind === 'blobs') return value
  const blobs = value.kind === 'list' ? value.items.flatMap((item) => (item.kind === 'blob' ? item.blob : [])) : []
  return value.kind === 'list' && blobs.length > 0 && blobs.length === value.items.length ? { kind: 'blobs', blobs } : undefined
}

function answerFiles(exchange: Answering, session: Session, files: Files): Promise<Answer> {
  return files.kind === 'blob' ? answerBlob(exchange, session, files.blob) : answerBlobs(exchange, session, files.blobs)
}

async function writeValue(exchange: Answering, session: Session, value: Value, status: number): Promise<Answer> {
  switch (value.kind) {
    case 'nothing':
      return noContent(status === 200 ? 204 : status)
    case 'document':
      return writeResource(exchange, session, { kind: 'document', document: value.document }, status)
    case 'documents':
      return writeResource(exchange, session, { kind: 'documents', ...value.found, documents: value.documents }, status)
    case 'string':
    case 'boolean':
    case 'number':
    case 'date':
      return json(writeScalar(value), status)
    case 'entity':
      return json({ 'entity-type': value.entityType, ...value.json }, status)
    case 'users':
      return entity('users', { 'entity-type': 'users', entries: await writeUsers(exchange, session, value.names) }, status)
    case 'rows':
      return entity('recordSet', writeRecordSet(value.rows), status)
    case 'bulkStatus':
      // Clients read `value`, where the entity stands once more (contract: operations 1.7).
      return json({ 'entity-type': 'bulkStatus', value: writeBulkStatus(value.status) }, status)
    case 'list':
    case 'map':
      return writeStructure(exchange, session, value, status)
    case 'blob':
    case 'blobs':
      throw new Error('Files are answered after the commit.')
  }
}

async function writeStructure(
  exchange: Answering,
  session: Session,
  value: Extract<Value, { kind: 'list' | 'map' }>,
  status: number,
): Promise<Answer> {
  const documents = value.kind === 'list' ? value.items.flatMap((item) => (item.kind === 'document' ? item.document : [])) : []
  if (value.kind === 'list' && documents.length > 0 && documents.length === value.items.length) {
    return writeValue(exchange, session, documentsValue(documents), status)
  }
  const context = createRenderContext(session, exchange)
  const word = value.kind === 'map' && value.isOrdered ? 'orderedMap' : value.kind
  return json({ 'entity-type': word, value: await writeValueJson(context, value) }, status)
}

/** Names that no user has any more are left out. */
async function writeUsers(exchange: Answering, session: Session, names: readonly string[]): Promise<readonly object[]> {
  const context = createRenderContext(session, exchange)
  const writer = exchange.rendering.entityWriters.get('user')
  const written = await Promise.all(names.map((name) => writer?.write(context, name)))
  return written.filter((user) => user !== undefined)
}

/** A value as it stands inside a list or map that is answered: documents are shown as such, files by what is known of them. */
async function writeValueJson(context: RenderContext, value: Value): Promise<unknown> {
  switch (value.kind) {
    case 'list':
      return Promise.all(value.items.map((item) => writeValueJson(context, item)))
    case 'map': {
      const members = Object.entries(value.members)
      return Object.fromEntries(
        await Promise.all(members.map(async ([name, member]) => [name, await writeValueJson(context, member)] as const)),
      )
    }
    case 'document':
      return writeDocument(context.nested(), value.document)
    case 'documents':
      return writeEntries(context.nested(), value.documents)
    case 'blob':
      return aboutBlob(value.blob.blob)
    case 'blobs':
      return value.blobs.map(({ blob }) => aboutBlob(blob))
    case 'users':
      return value.names
    case 'rows':
      return writeRecordSet(value.rows)
    default:
      return jsonOfValue(value) ?? null
  }
}

function aboutBlob({ name, length, ...blob }: { name: string | null; 'mime-type': string | null; length: number }): object {
  return { name, 'mime-type': blob['mime-type'], length }
}
