import { shortFileName } from '../../base/short-file-name.ts'
import { findBlobNumber } from '../../core/blobs/blob-place.ts'
import type { DocumentId } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { parseXpath, unknownProperty } from '../../model/properties/xpath.ts'
import { decodeIfPossible } from '../request/url-path.ts'

export interface BlobAddress {
  readonly repository: string
  readonly documentId: DocumentId
  readonly xpath: string
  readonly name: string | null
  readonly changeToken: string | null
}

/** Where a blob is downloaded. The token only tells caches that the blob is another one. */
export function blobUrl(baseUrl: string, { repository, documentId, xpath, name, changeToken }: BlobAddress): string {
  const file = name === null ? '' : fileNameOf(name)
  const parts = [baseUrl, 'nxfile/', repository, '/', documentId, '/', xpath]
  if (file !== '') parts.push('/', encodeURIComponent(file))
  if (changeToken !== null) parts.push('?changeToken=', encodeURIComponent(changeToken))
  // Joined, not added up: a string made of others by `+` throws JSON.stringify off its fast path, which made writing the
  // whole document take 6 µs instead of 4.
  return parts.join('')
}

const parameterTail = /;\w+=.*$/s

/**
 * The name without folders, which browsers of old sent along, and without a `;word=…` that a URL would read as parameters; no longer
 * than a request has room for. Empty for what clients would read as steps of a path, however it is encoded.
 */
function fileNameOf(name: string): string {
  const bare = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const file = shortFileName((bare.includes(';') ? bare.replace(parameterTail, '') : bare).toWellFormed())
  return file === '.' || file === '..' ? '' : file
}

/** A link to a blob of this server, split but not yet looked up. */
export interface BlobLink {
  readonly repository: string
  readonly documentId: DocumentId
  /** Xpath and file name, decoded. */
  readonly tail: readonly string[]
}

/** Undefined when the URL is no blob link of the server at this base. */
export function parseBlobUrl(baseUrl: string, url: string): BlobLink | undefined {
  if (!url.startsWith(baseUrl)) return undefined
  const [path = ''] = url.slice(baseUrl.length).split(/[?#]/, 1)
  const [kind, repository, documentId, ...tail] = path.split('/').map(decodeIfPossible)
  if ((kind !== 'nxfile' && kind !== 'nxbigfile') || !repository || !documentId) return undefined
  return { repository, documentId, tail: tail.filter((part) => part !== '') }
}

/** What the tail of a link names: the address of a blob in its document, and the name to serve it under. */
export interface BlobTail {
  readonly address: string
  readonly name: string | undefined
}

/**
 * All of the tail is the address when that is a blob's place, else all but the file name; undefined when neither is one. Without a tail
 * the main file is meant.
 */
export function parseBlobTail(model: Model, tail: readonly string[]): BlobTail | undefined {
  if (tail.length === 0) return { address: 'blobholder:0', name: undefined }
  const whole = addressOf(tail)
  if (isBlobAddress(model, whole)) return { address: whole, name: undefined }
  const address = addressOf(tail.slice(0, -1))
  return isBlobAddress(model, address) ? { address, name: tail.at(-1) } : undefined
}

/** Old links write `;` for `:`. */
function addressOf(steps: readonly string[]): string {
  return steps.join('/').replace(';', ':')
}

function isBlobAddress(model: Model, address: string): boolean {
  // A bare name is no xpath here: `content` could be a file's name as well.
  if (!address.includes(':')) return false
  if (findBlobNumber(address) !== undefined) return true
  try {
    return parseXpath(model, address).type.kind === 'blob'
  } catch (error) {
    if (unknownProperty.is(error)) return false
    throw error
  }
}
