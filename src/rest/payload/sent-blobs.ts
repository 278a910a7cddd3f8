import { Buffer } from 'node:buffer'
import { decodeText } from '../../base/decoded-text.ts'
import { firstBytes } from '../../base/first-bytes.ts'
import { stringifyJson } from '../../base/json.ts'
import type { Log } from '../../base/log.ts'
import { defineProblem } from '../../base/problem.ts'
import { findBlobAt } from '../../core/blobs/blob-place.ts'
import type { DocumentBlob } from '../../core/blobs/document-blobs.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import type { Shape } from '../../model/shape.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { type DownloadRule, mayDownload } from '../download/download-rule.ts'
import { type BlobLink, parseBlobTail } from '../render/blob-url.ts'
import { findText } from './entity-payload.ts'
import { type BlobForm, type BlobObject, everyBlobObject, findInlineText, parseBlobForm } from './sent-blob-forms.ts'

/** Files of upload batches, by the ids that clients send. */
export interface UploadedFiles {
  find(batchId: string, fileId: string): Promise<BlobValue | undefined>
}

/** The blobs in a body whose bytes are stored by now, and the links to blobs of other documents still to be followed. */
export interface StagedBlobs {
  readonly stored: ReadonlyMap<JsonObject, BlobValue>
  /** What is in those that were sent for a property of text. */
  readonly texts: ReadonlyMap<JsonObject, BlobText>
  readonly links: readonly SentLink[]
  /** What may not be downloaded may not be copied by its link either. */
  readonly rules: readonly DownloadRule[]
}

interface BlobText {
  readonly key: string
  readonly text: string
}

export interface SentLink extends BlobObject {
  readonly url: string
  readonly link: BlobLink
}

/** What each object of the body that stands for a blob turned out to be; undefined for one that stands for none. */
export interface SentBlobs {
  find(json: JsonObject): BlobValue | undefined
  /** What is in it, where it was sent for a property of text. */
  findText(json: JsonObject): string | undefined
}

export const noSentBlobs: SentBlobs = { find: () => undefined, findText: findInlineText }

export const blobNotResolvable = defineProblem(
  'blobNotResolvable',
  'invalid',
  (of: { url: string }) => `There is no blob that you can read at ${of.url}`,
)

export const keyNotAllowed = defineProblem(
  'keyNotAllowed',
  'unauthenticated',
  (of: { key: string }) => `Only administrators may use a blob by its key: ${of.key}`,
)

export const keyNotStored = defineProblem(
  'keyNotStored',
  'invalid',
  (of: { key: string }) => `There is no blob with the key ${of.key}`,
)

export const blobTooLongForText = defineProblem(
  'blobTooLongForText',
  'invalid',
  (of: { property: string; maxBytes: number }) =>
    `The blob sent for the text ${of.property} is larger than ${of.maxBytes} bytes. Send it for a property that holds files.`,
)

export const tooManyInlineFiles = defineProblem(
  'tooManyInlineFiles',
  'invalid',
  (of: { maxFiles: number }) =>
    `The request describes more than the ${of.maxFiles} files with their content that it may. Upload them in batches, or send several requests.`,
)

// Each is stored by itself: what takes a megabyte of a body may take a thousand writes.
const maxInlineFiles = 1_000

export interface Staging {
  readonly model: Model
  readonly blobs: BlobStore
  readonly baseUrl: string
  readonly log: Log
  readonly uploads?: UploadedFiles
  /** Says more about a blob whose bytes are stored. */
  readonly inspect?: (blob: BlobValue) => Promise<BlobValue>
  readonly downloadRules?: readonly DownloadRule[]
  /** Looks ahead at where a link leads, as far as the caller may; without it, a text cannot be sent as a link. */
  readonly follow?: (link: SentLink) => Promise<BlobValue | undefined>
  /** Whether a link is into another repository of the server, of which the transaction sees nothing: such a one is followed ahead. */
  readonly leadsElsewhere?: (link: BlobLink) => boolean
  readonly mayUseKeys?: boolean
  /** The keys of files with this digest, which is what clients take for the key. */
  readonly listKeysOf?: (digest: string) => Promise<ReadonlySet<string>>
  readonly signal?: AbortSignal
  /** What was staged before of the same request is not stored or looked up again. */
  readonly earlier?: EarlierBlobs
}

/** What objects were found to stand for, by their JSON: also one that is read anew from a text is the same. */
export interface EarlierBlobs {
  readonly blobs: Map<string, Promise<BlobValue | undefined>>
  readonly texts: Map<string, Promise<BlobText | undefined>>
}

export function noEarlierBlobs(): EarlierBlobs {
  return { blobs: new Map(), texts: new Map() }
}

/**
 * Stores the texts that were sent as blobs, finds uploaded files, and reads what is sent as a blob but is to be a text. Before the
 * transaction, because that waits for nothing but the database; what a refused request leaves in the blob store is collected later.
 * @throws keyNotAllowed, keyNotStored, blobTooLongForText, tooManyInlineFiles
 */
export async function stageBlobs(properties: JsonObject, staging: Staging): Promise<StagedBlobs> {
  const stored = new Map<JsonObject, BlobValue>()
  const texts = new Map<JsonObject, BlobText>()
  const links: SentLink[] = []
  for (const { object, form } of listObjects(properties, staging)) {
    if (object.use === 'blob') await stageBlob(object, form, staging, stored)
    else await stageText(object, form, staging, texts)
    if (form.kind !== 'link') continue
    const isFollowed = staging.leadsElsewhere?.(form.link) && (stored.has(object.json) || texts.has(object.json))
    if (!isFollowed) links.push({ ...object, url: form.url, link: form.link })
  }
  return { stored, texts, links, rules: staging.downloadRules ?? [] }
}

/** @throws tooManyInlineFiles before any of them is stored */
function listObjects(properties: JsonObject, { model, baseUrl, earlier }: Staging) {
  const listed = [...everyBlobObject(model, properties)].map((object) => ({ object, form: parseBlobForm(object.json, baseUrl) }))
  const isNewFile = ({ object: { json, use }, form }: (typeof listed)[number]) =>
    use === 'blob' && form.kind === 'text' && !earlier?.blobs.has(stringifyJson(json))
  const files = listed.filter(isNewFile).length
  if (files > 0) requireFewInlineFiles(files + (earlier?.blobs.size ?? 0))
  return listed
}

/** @throws tooManyInlineFiles */
export function requireFewInlineFiles(files: number): void {
  if (files > maxInlineFiles) throw tooManyInlineFiles({ maxFiles: maxInlineFiles })
}

async function stageBlob(
  object: BlobObject,
  form: BlobForm,
  staging: Staging,
  stored: Map<JsonObject, BlobValue>,
): Promise<void> {
  const { json } = object
  const blob = await once(staging.earlier?.blobs, json, async () => {
    const found = form.kind === 'text' ? await storeText(json, form.text, staging) : await findStored(object, form, staging)
    return (found && (await staging.inspect?.(found))) ?? found
  })
  if (blob !== undefined) stored.set(json, blob)
}

async function stageText(object: BlobObject, form: BlobForm, staging: Staging, texts: Map<JsonObject, BlobText>): Promise<void> {
  const text = await once(staging.earlier?.texts, object.json, async () => {
    const isLink = form.kind === 'link'
    const blob = await (isLink ? staging.follow?.({ ...object, ...form }) : findStored(object, form, staging))
    return blob && { key: blob.key, text: await readText(blob, object.property, staging) }
  })
  if (text !== undefined) texts.set(object.json, text)
}

/** Does it unless it was done for an equal object before. */
function once<Found>(
  earlier: Map<string, Promise<Found>> | undefined,
  json: JsonObject,
  find: () => Promise<Found>,
): Promise<Found> {
  if (earlier === undefined) return find()
  const key = stringifyJson(json)
  const found = earlier.get(key) ?? find()
  earlier.set(key, found)
  return found
}

export interface LinkTarget {
  readonly shape: { readonly properties: Pick<Shape['properties'], 'has'> }
  /** The document being changed, so that its own links need no second look at it. */
  readonly current?: Document
}

/**
 * Follows the links as far as the caller may, inside the transaction that uses what they lead to.
 * @throws blobNotResolvable when there is nothing there, or nothing for the caller.
 */
export async function resolveBlobs(session: Session, staged: StagedBlobs, { shape, current }: LinkTarget): Promise<SentBlobs> {
  const { stored, texts, links, rules } = staged
  const resolved = new Map<JsonObject, BlobValue>()
  for (const sent of links) {
    // What the document has no place for is ignored, wherever it leads.
    if (!shape.properties.has(sent.property)) continue
    const { blob } = await readLinked(session, sent, rules, current)
    // The text was read ahead; it is not what the link leads to any more.
    if (sent.use === 'text' && texts.get(sent.json)?.key !== blob.key) throw blobNotResolvable({ url: sent.url })
    resolved.set(sent.json, blob)
  }
  return {
    find: (json) => stored.get(json) ?? resolved.get(json),
    findText: (json) => findInlineText(json) ?? texts.get(json)?.text,
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

async function findStored(object: BlobObject, form: BlobForm, staging: Staging): Promise<BlobValue | undefined> {
  if (form.kind === 'link') return staging.leadsElsewhere?.(form.link) ? staging.follow?.({ ...object, ...form }) : undefined
  if (form.kind === 'key') return readByKey(object.json, form.key, staging)
  return form.kind === 'upload' ? findUploaded(form, staging) : undefined
}

async function findUploaded(
  { batchId, fileId }: BlobForm & { kind: 'upload' },
  staging: Staging,
): Promise<BlobValue | undefined> {
  const blob = await staging.uploads?.find(batchId, fileId)
  if (blob === undefined)
    staging.log.warn({ event: 'upload.unknown', batchId, fileId }, 'a file of an unknown upload batch was ignored')
  return blob
}

/** A caller who knows a key could read a file without the right to, so few may. */
async function readByKey(json: JsonObject, key: string, staging: Staging): Promise<BlobValue> {
  const { blobs, mayUseKeys } = staging
  if (!mayUseKeys) throw keyNotAllowed({ key })
  const address = await findAddress(key, staging)
  if (address === undefined) throw keyNotStored({ key })
  // Written again, so that it is not collected as garbage before there is a document that refers to it.
  const stored = await blobs.write(await blobs.read(address))
  return {
    ...stored,
    name: findText(json, 'filename') ?? findText(json, 'name') ?? null,
    'mime-type': findText(json, 'mime-type') ?? null,
    encoding: findText(json, 'encoding') ?? null,
  }
}

/** Of several files with one digest it is unknown which is meant. */
async function findAddress(key: string, { blobs, listKeysOf }: Staging): Promise<string | undefined> {
  if (await blobs.has(key)) return key
  const [address, ...others] = (await listKeysOf?.(key)) ?? []
  return address !== undefined && others.length === 0 && (await blobs.has(address)) ? address : undefined
}

// What is stored in the database with its document, and is sent along with it.
const textMaxBytes = 16 * 1024 * 1024

async function readText(blob: BlobValue, property: string, { blobs }: Staging): Promise<string> {
  if (blob.length > textMaxBytes) throw blobTooLongForText({ property, maxBytes: textMaxBytes })
  return decodeText(await firstBytes(await blobs.read(blob.key, undefined, blob.length), textMaxBytes), blob.encoding)
}

/** Where a link leads: a file, and the document that it is of. */
export interface LinkedBlob extends DocumentBlob {
  readonly document: Document
}

/** @throws blobNotResolvable */
export async function readLinked(
  session: Session,
  { link, url }: Pick<SentLink, 'link' | 'url'>,
  rules: readonly DownloadRule[],
  current: Document | undefined,
): Promise<LinkedBlob> {
  const isHere = link.repository === session.repository.name
  const document = isHere ? await findLinkedDocument(session, link, current) : undefined
  const tail = parseBlobTail(session.model, link.tail)
  const found = tail && document && findBlobAt(session, document, tail.address)
  // A text that is only served as a file has no bytes to share.
  if (document === undefined || found === undefined || found.bytes !== undefined) throw blobNotResolvable({ url })
  const isOwn = document.id === current?.id
  if (!isOwn && !(await mayDownload(rules, session, { ...found, document, reason: 'download' }))) throw blobNotResolvable({ url })
  return { ...found, document }
}

async function findLinkedDocument(
  session: Session,
  link: BlobLink,
  current: Document | undefined,
): Promise<Document | undefined> {
  return current?.id === link.documentId ? current : findReadable(session, link.documentId)
}
