import type { Json } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import type { FieldType } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import { type JsonObject, mayBeSentAsBlob } from '../../model/properties/coercion.ts'
import { type BlobLink, parseBlobUrl } from '../render/blob-url.ts'
import { findText } from './entity-payload.ts'

/** An object of a body that may stand for a blob. */
export interface BlobObject {
  readonly json: JsonObject
  /** The property it was sent for. */
  readonly property: string
  /** A property of text gets what is in the blob. */
  readonly use: 'blob' | 'text'
}

/** The ways in which a client says which blob it means. */
export type BlobForm =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly url: string; readonly link: BlobLink }
  | { readonly kind: 'key'; readonly key: string }
  /** Without a file it is a batch that was named all the same. */
  | { readonly kind: 'upload'; readonly batchId: string; readonly fileId: string }
  | { readonly kind: 'nothing' }

/** The store of the repository, which is the only provider of blobs that can be named. */
const ownProvider = 'default'

/** The forms in the order in which they are tried. */
export function parseBlobForm(json: JsonObject, baseUrl: string): BlobForm {
  const text = findInlineText(json)
  if (text !== undefined) return { kind: 'text', text }
  const url = json['data']
  const link = typeof url === 'string' ? parseBlobUrl(baseUrl, url) : undefined
  if (typeof url === 'string' && link !== undefined) return { kind: 'link', url, link }
  const key = json['providerId'] === ownProvider ? findText(json, 'key') : undefined
  if (key !== undefined) return { kind: 'key', key }
  const batchId = findText(json, 'upload-batch')
  return batchId === undefined ? { kind: 'nothing' } : { kind: 'upload', batchId, fileId: fileIdOf(json['upload-fileId']) }
}

/** The text of an object that brings its bytes with it. */
export function findInlineText(json: JsonObject): string | undefined {
  const { data, content } = json
  if (typeof data === 'string') return data.startsWith('http') ? undefined : data
  return typeof content === 'string' ? content : undefined
}

/** Wherever the schemas have a place for a blob, or for a text that may be sent as one. */
export function* everyBlobObject(model: Model, properties: JsonObject): Generator<BlobObject> {
  for (const [name, json] of Object.entries(properties)) {
    const property = model.findProperty(name)
    if (property === undefined) continue
    for (const found of everyObjectFor(property.field.type, json)) yield { ...found, property: property.name }
  }
}

function* everyObjectFor(type: FieldType, json: Json): Generator<Omit<BlobObject, 'property'>> {
  if (type.kind === 'list' && Array.isArray(json)) {
    for (const item of json) yield* everyObjectFor(type.item.type, item)
  } else if (isJsonObject(json)) {
    if (type.kind === 'blob') yield { json, use: 'blob' }
    else if (type.kind === 'complex') for (const field of type.fields) yield* everyObjectFor(field.type, json[field.name] ?? null)
    else if (type.kind === 'string' && mayBeSentAsBlob(type)) yield { json, use: 'text' }
  }
}

function fileIdOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
