import { newId } from '../../base/ids.ts'
import { isJsonObject, type Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { emptyDocument } from '../../core/documents/empty-document.ts'
import { readDocument, readDocumentByPath, requireRead } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { OperationContext } from '../context.ts'
import type { FlowingBlob } from './flowing-blob.ts'
import { jsonOfValue, valueOfJson } from './read-sent-properties.ts'
import { splitList } from './split-list.ts'
import { documentsValue, nothing, type Value } from './value.ts'
import type { Inputs, InputWord, Outputs, OutputWord } from './words.ts'

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

const noCurrentDocument = defineProblem(
  'noCurrentDocument',
  'invalid',
  (of: { reference: string }) => `${of.reference} is relative, and there is no document that it could be relative to.`,
)

const notADocumentEntity = defineProblem(
  'notADocumentEntity',
  'invalid',
  (_: object) => 'A document entity must have a uid, or the type of a document that is not stored.',
)

/** The document that a text names: an id, a path, `repository:id`, or `./child` of the document at hand. @throws documentNotFound */
export async function readReference(context: OperationContext, reference: string): Promise<Document> {
  const text = reference.trim()
  if (text.startsWith('/')) return readDocumentByPath(context.session, text)
  if (isRelative(text)) return readDocumentByPath(context.session, await readRelativePath(context, text))
  const colon = text.indexOf(':')
  return readDocument(context.session, colon < 0 ? text : text.slice(colon + 1))
}

function isRelative(reference: string): boolean {
  return reference === '.' || reference.startsWith('./')
}

async function readRelativePath(context: OperationContext, reference: string): Promise<string> {
  const base = await findCurrentPath(context)
  if (base === null || base === undefined) throw noCurrentDocument({ reference })
  return `${base === '/' ? '' : base}${reference.slice(1)}` || '/'
}

/** The document at hand is the input of the step, else the one that the client says it is looking at. */
async function findCurrentPath(context: OperationContext): Promise<string | null | undefined> {
  const current = context.input.kind === 'document' ? context.input : context.variables.get('currentDocument')
  if (current?.kind === 'document') return current.document.path
  if (current?.kind !== 'string') return undefined
  const reference = current.text.replace(/^doc:/, '')
  return isRelative(reference) ? undefined : (await readReference(context, reference)).path
}

/**
 * The document that an entity of a request means. What it says of properties waits for a step that saves; without a `uid` it is a
 * document that was never stored.
 * @throws documentNotFound, notADocumentEntity
 */
async function readDocumentEntity(context: OperationContext, entity: JsonObject): Promise<Document> {
  const { session } = context
  const { uid, changeToken, properties } = entity
  const sent = isJsonObject(properties) ? properties : {}
  const stored = typeof uid === 'string' && uid !== '' ? await readReference(context, uid) : undefined
  const document = stored ?? newDocument(session, entity)
  const shape = session.model.shapeOf(document)
  const changes = await context.host.readProperties(session, { shape, current: document }, sent)
  return context.unsaved.add(document, {
    changes,
    ...(typeof changeToken === 'string' && { changeToken }),
    ...(stored === undefined && { isNew: true }),
  })
}

function newDocument({ model, repository }: Session, { type, name }: JsonObject): Document {
  if (typeof type !== 'string') throw notADocumentEntity({})
  const path = typeof name === 'string' ? name : ''
  return emptyDocument(model, { repository: repository.name, id: newId(), type, name: path, parent: undefined })
}

export const notConvertible = defineProblem(
  'notConvertible',
  'invalid',
  (of: { given: string; wanted: string }) =>
    `${phrases.get(of.given) ?? `A ${of.given}`} cannot be taken for ${/^[aeiou]/.test(of.wanted) ? 'an' : 'a'} ${of.wanted}`,
)

/** Of the kinds of values whose names do not follow an article. */
const phrases: ReadonlyMap<string, string> = new Map([
  ['nothing', 'Nothing'],
  ['documents', 'A list of documents'],
  ['blob', 'A file'],
  ['blobs', 'A list of files'],
  ['string', 'A text'],
  ['entity', 'An entity'],
  ['users', 'A list of users'],
  ['rows', 'A list of rows'],
  ['bulkStatus', 'The state of a bulk action'],
])

/** @throws notConvertible, documentNotFound, privilegeMissing */
export async function toDocument(context: OperationContext, value: Value): Promise<Document> {
  switch (value.kind) {
    case 'document':
      return value.document
    case 'string':
      return readReference(context, value.text.replace(/^doc:/, ''))
    case 'entity':
      return readDocumentEntity(context, value.json)
    case 'documents':
    case 'list': {
      const documents = await toDocuments(context, value)
      if (documents.length === 1 && documents[0] !== undefined) return documents[0]
    }
  }
  throw notConvertible({ given: value.kind, wanted: 'document' })
}

/** @throws notConvertible, documentNotFound, privilegeMissing */
export async function toDocuments(context: OperationContext, value: Value): Promise<readonly Document[]> {
  switch (value.kind) {
    case 'documents':
      return value.documents
    case 'string':
      return readAll(context, referencesIn(value.text))
    case 'list':
      return readAll(context, value.items)
    case 'entity': {
      const { entries } = value.json
      if (!listEntities.has(value.entityType) || !Array.isArray(entries)) return [await toDocument(context, value)]
      return readAll(
        context,
        entries.map((json) => ({ kind: 'entity', entityType: 'document', json })),
      )
    }
    default:
      return [await toDocument(context, value)]
  }
}

const listEntities: ReadonlySet<string> = new Set(['documents', 'docs'])

const idForm = /^(?:[^:/]*:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Whether a text names one document, though its name may have commas: `/folder/a,b` is a path if `b` is neither a path nor an id.
 * Who means something else by it writes `\,`, `doc:` or `docs:`.
 */
export function isOneReference(text: string): boolean {
  if (!text.includes(',')) return !text.startsWith('docs:')
  if (text.startsWith('doc:')) return true
  if (!/^\s*\.?\//.test(text) || text.includes('\\,')) return false
  const [, ...others] = splitList(text)
  return others.every((other) => other !== '' && other !== '.' && !/^\.?\//.test(other) && !idForm.test(other))
}

/** A comma at the end names nothing. */
function referencesIn(text: string): readonly Value[] {
  if (isOneReference(text)) return text.trim() === '' ? [] : [{ kind: 'string', text }]
  return splitList(text.replace(/^docs?:/, ''))
    .filter((reference) => reference !== '')
    .map((reference) => ({ kind: 'string', text: reference }))
}

/** One that is named many times is looked up once. @throws callTakesTooMuch */
async function readAll(context: OperationContext, values: readonly Value[]): Promise<readonly Document[]> {
  const { budget } = context
  const named = new Map<string, Document>()
  const documents: Document[] = []
  for (const value of values) {
    const known = value.kind === 'string' ? named.get(value.text) : undefined
    const document = known ?? (await toDocument(context, value))
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
export async function toBlob(context: OperationContext, value: Value): Promise<FlowingBlob> {
  if (value.kind === 'blob') return value.blob
  if (value.kind === 'blobs' || value.kind === 'list') {
    const [first, ...others] = await toBlobs(context, value)
    if (first !== undefined && others.length === 0) return first
  }
  const found = await findSentBlob(context, value)
  if (found === undefined) throw notConvertible({ given: value.kind, wanted: 'blob' })
  return found
}

/** Of a list only the blobs count. */
export async function toBlobs(context: OperationContext, value: Value): Promise<readonly FlowingBlob[]> {
  if (value.kind === 'blobs') return value.blobs
  if (value.kind !== 'list') return [await toBlob(context, value)]
  const found: FlowingBlob[] = []
  for (const item of value.items) {
    const blob = item.kind === 'blob' ? item.blob : await findSentBlob(context, item)
    if (blob !== undefined) found.push(blob)
  }
  return found
}

/** What a list holds, one by one, for a method that takes one at a time. */
export async function toItems(context: OperationContext, word: InputWord, value: Value): Promise<readonly Value[]> {
  if (word === 'document') return (await toDocuments(context, value)).map((document) => ({ kind: 'document', document }))
  return (await toBlobs(context, value)).map((blob) => ({ kind: 'blob', blob }))
}

/** A file that a request describes: an object, or the address of a download. */
async function findSentBlob(context: OperationContext, value: Value): Promise<FlowingBlob | undefined> {
  const { host } = context
  if (value.kind === 'string') return host.findBlob(context, { data: value.text })
  const json = value.kind === 'map' || value.kind === 'entity' ? jsonOfValue(value) : undefined
  return isJsonObject(json) ? host.findBlob(context, json) : undefined
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

const variable = 'currentDocument'

const currentDocumentMissing = defineProblem(
  'currentDocumentMissing',
  'invalid',
  (_: object) =>
    `The operation works on the document in the context variable ${variable}, and there is none. Send its path or id there.`,
)

/** The document that a client sends in the context, beside the files that are the input. @throws currentDocumentMissing, documentNotFound */
export async function readCurrentDocument(context: OperationContext): Promise<Document> {
  const value = context.variables.get(variable)
  if (value === undefined || value.kind === 'nothing') throw currentDocumentMissing({})
  return toDocument(context, value)
}

type Reader<Word extends InputWord> = (value: Value, context: OperationContext) => Inputs[Word] | Promise<Inputs[Word]>

const readers: { readonly [Word in InputWord]: Reader<Word> } = {
  void: () => undefined,
  document: (value, context) => toDocument(context, value),
  documents: (value, context) => toDocuments(context, value),
  paginable: (value) => {
    if (value.kind !== 'documents' || value.found === undefined) throw notConvertible({ given: value.kind, wanted: 'page' })
    return value.found
  },
  blob: (value, context) => toBlob(context, value),
  bloblist: (value, context) => toBlobs(context, value),
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
export function readInput(word: InputWord, value: Value, context: OperationContext): unknown {
  return readers[word](value, context)
}

const blobKeySent = defineProblem(
  'blobKeySent',
  'forbidden',
  (of: { text: string }) =>
    `${of.text} names a file by its key, which is not for clients. Send the file, or its download address.`,
)

/**
 * The input of a call as the first operation finds it: documents that it names are looked up. Through here come the documents of every
 * call, whichever door it came by, and all of them have to be readable: those of a page were found with Browse alone.
 * @throws documentNotFound, privilegeMissing, blobKeySent
 */
export function resolveSentInput(context: OperationContext, sent: Value): Value | Promise<Value> {
  if (sent.kind === 'document') return requireReadable(context, sent, [sent.document])
  if (sent.kind === 'documents') return requireReadable(context, sent, sent.documents)
  const word = wordOfReference(sent)
  if (word === 'document') return toDocument(context, sent).then((document) => ({ kind: 'document', document }))
  if (word === 'documents') return toDocuments(context, sent).then((documents) => ({ kind: 'documents', documents }))
  if (sent.kind === 'string' && /^blobs?:/.test(sent.text)) throw blobKeySent({ text: sent.text })
  return sent
}

async function requireReadable({ session }: OperationContext, value: Value, documents: readonly Document[]): Promise<Value> {
  for (const document of documents) await requireRead(session, document)
  return value
}

/** Whether something that was sent names a document or several. */
function wordOfReference(sent: Value): 'document' | 'documents' | undefined {
  if (sent.kind === 'string') {
    return sent.text.startsWith('doc:') ? 'document' : sent.text.startsWith('docs:') ? 'documents' : undefined
  }
  if (sent.kind !== 'entity') return undefined
  return sent.entityType === 'document' || sent.entityType === 'documents' ? sent.entityType : undefined
}
