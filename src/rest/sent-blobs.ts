import { Buffer } from 'node:buffer'
import type { Json } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import { defineProblem } from '../base/problem.ts'
import { findReadable } from '../core/documents/read-document.ts'
import type { Session } from '../core/session.ts'
import type { JsonObject } from '../model/coercion.ts'
import type { Document } from '../model/document.ts'
import type { FieldType } from '../model/field.ts'
import type { Model } from '../model/model.ts'
import { type BlobValue, isBlobValue } from '../model/property.ts'
import type { Shape } from '../model/shape.ts'
import { valueAt } from '../model/xpath.ts'
import type { BlobStore } from '../store/blobs/blob-store.ts'
import { type BlobLink, parseBlobTail, parseBlobUrl } from './blob-url.ts'
import { findText, isJsonObject } from './entity-payload.ts'

/** Files of upload batches, by the ids that clients send. */
export interface UploadedFiles {
  find(batchId: string, fileId: string): Promise<BlobValue | undefined>
}

/** The blobs in a body whose bytes are stored by now, and the links to blobs of other documents still to be followed. */
export interface StagedBlobs {
  readonly stored: ReadonlyMap<JsonObject, BlobValue>
  readonly links: readonly SentLink[]
}

interface SentLink {
  readonly json: JsonObject
  readonly url: string
  readonly link: BlobLink
  /** The property it was sent for. */
  readonly property: string
}

/** What each object of the body that stands for a blob turned out to be; undefined for one that stands for none. */
export interface SentBlobs {
  find(json: JsonObject): BlobValue | undefined
}

export const noSentBlobs: SentBlobs = { find: () => undefined }

export const blobNotResolvable = defineProblem(
  'blobNotResolvable',
  'invalid',
  (of: { url: string }) => `There is no blob that you can read at ${of.url}`,
)

export interface Staging {
  readonly model: Model
  readonly blobs: BlobStore
  readonly baseUrl: string
  readonly log: Log
  readonly uploads?: UploadedFiles
  readonly signal?: AbortSignal
}

/**
 * Stores the texts that were sent as blobs and finds uploaded files. Before the transaction, because that waits for
 * nothing but the database; what a refused request leaves in the blob store is collected later.
 */
export async function stageBlobs(properties: JsonObject, staging: Staging): Promise<StagedBlobs> {
  const stored = new Map<JsonObject, BlobValue>()
  const links: SentLink[] = []
  for (const { json, property } of everyBlobObject(staging.model, properties)) {
    const sent = classify(json, staging.baseUrl)
    if (sent.kind === 'link') links.push({ json, property, url: sent.url, link: sent.link })
    const blob = sent.kind === 'text' ? await storeText(json, sent.text, staging) : await findUploaded(sent, staging)
    if (blob !== undefined) stored.set(json, blob)
  }
  return { stored, links }
}

export interface LinkTarget {
  readonly shape: Shape
  /** The document being changed, so that its own links need no second look at it. */
  readonly current?: Document
}

/**
 * Follows the links as far as the caller may, inside the transaction that uses what they lead to.
 * @throws blobNotResolvable when there is nothing there, or nothing for the caller.
 */
export async function resolveBlobs(session: Session, staged: StagedBlobs, { shape, current }: LinkTarget): Promise<SentBlobs> {
  const resolved = new Map<JsonObject, BlobValue>()
  for (const sent of staged.links) {
    // What the document has no place for is ignored, wherever it leads.
    if (!shape.properties.has(sent.property)) continue
    resolved.set(sent.json, await readLinked(session, sent, current))
  }
  return { find: (json) => staged.stored.get(json) ?? resolved.get(json) }
}

/** The text of an object that brings its bytes with it. */
export function findInlineText(json: JsonObject): string | undefined {
  const { data, content } = json
  if (typeof data === 'string') return data.startsWith('http') ? undefined : data
  return typeof content === 'string' ? content : undefined
}

type Sent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly url: string; readonly link: BlobLink }
  | { readonly kind: 'upload'; readonly batchId: string; readonly fileId: string }
  | { readonly kind: 'nothing' }

/** The forms in the order in which they are tried. A key of an external provider (`providerId`) is none: there are no providers. */
function classify(json: JsonObject, baseUrl: string): Sent {
  const text = findInlineText(json)
  if (text !== undefined) return { kind: 'text', text }
  const url = json['data']
  const link = typeof url === 'string' ? parseBlobUrl(baseUrl, url) : undefined
  if (typeof url === 'string' && link !== undefined) return { kind: 'link', url, link }
  const batchId = findText(json, 'upload-batch')
  const fileId = json['upload-fileId']
  const hasFile = typeof fileId === 'string' || typeof fileId === 'number'
  return batchId !== undefined && hasFile ? { kind: 'upload', batchId, fileId: String(fileId) } : { kind: 'nothing' }
}

function* everyBlobObject(model: Model, properties: JsonObject): Generator<{ json: JsonObject; property: string }> {
  for (const [name, json] of Object.entries(properties)) {
    const property = model.findProperty(name)
    if (property === undefined) continue
    for (const found of everyObjectFor(property.field.type, json)) yield { json: found, property: property.name }
  }
}

function* everyObjectFor(type: FieldType, json: Json): Generator<JsonObject> {
  if (type.kind === 'list' && Array.isArray(json)) {
    for (const item of json) yield* everyObjectFor(type.item.type, item)
  } else if (isJsonObject(json)) {
    if (type.kind === 'blob') yield json
    else if (type.kind === 'complex') for (const field of type.fields) yield* everyObjectFor(field.type, json[field.name] ?? null)
  }
}

const encodings: ReadonlyMap<string, BufferEncoding> = new Map([
  ['utf-8', 'utf8'],
  ['iso-8859-1', 'latin1'],
  ['us-ascii', 'ascii'],
  ['utf-16le', 'utf16le'],
])

async function storeText(json: JsonObject, text: string, { blobs, signal }: Staging): Promise<BlobValue> {
  const asked = findText(json, 'encoding') ?? 'UTF-8'
  const known = encodings.get(asked.toLowerCase())
  const stored = await blobs.write(Buffer.from(text, known ?? 'utf8'), signal && { signal })
  return {
    ...stored,
    name: findText(json, 'filename') ?? findText(json, 'name') ?? null,
    'mime-type': findText(json, 'mime-type') ?? 'text/plain',
    encoding: known === undefined ? 'UTF-8' : asked,
  }
}

async function findUploaded(sent: Sent, { uploads, log }: Staging): Promise<BlobValue | undefined> {
  if (sent.kind !== 'upload') return undefined
  const { batchId, fileId } = sent
  const blob = await uploads?.find(batchId, fileId)
  if (blob === undefined) log.warn({ event: 'upload.unknown', batchId, fileId }, 'a file of an unknown upload batch was ignored')
  return blob
}

async function readLinked(session: Session, { link, url }: SentLink, current: Document | undefined): Promise<BlobValue> {
  const xpath = parseBlobTail(session.model, link.tail)
  const isHere = link.repository === session.repository.name
  const document = isHere ? await findLinkedDocument(session, link, current) : undefined
  const blob = xpath && document && valueAt(document.properties, xpath)
  if (!isBlobValue(blob)) throw blobNotResolvable({ url })
  return blob
}

async function findLinkedDocument(
  session: Session,
  link: BlobLink,
  current: Document | undefined,
): Promise<Document | undefined> {
  return current?.id === link.documentId ? current : findReadable(session, link.documentId)
}
