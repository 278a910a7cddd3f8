import type { DocumentId } from '../model/document.ts'
import type { Model } from '../model/model.ts'
import { parseXpath, unknownProperty, type Xpath } from '../model/xpath.ts'

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

const parameterTail = /;\w+=.*$/

/** The name without folders, which browsers of old sent along, and without a `;word=…` that a URL would read as parameters. */
function fileNameOf(name: string): string {
  const bare = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  return (bare.includes(';') ? bare.replace(parameterTail, '') : bare).toWellFormed()
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
  const [kind, repository, documentId, ...tail] = path.split('/').map(decoded)
  if ((kind !== 'nxfile' && kind !== 'nxbigfile') || !repository || !documentId) return undefined
  return { repository, documentId, tail: tail.filter((part) => part !== '') }
}

/** Where in the document the tail of a link points: all of it when that is a blob's place, else all but the file name. */
export function parseBlobTail(model: Model, tail: readonly string[]): Xpath | undefined {
  return findBlobPlace(model, tail) ?? findBlobPlace(model, tail.slice(0, -1))
}

function findBlobPlace(model: Model, steps: readonly string[]): Xpath | undefined {
  // A bare name is no xpath here: `content` could be a file's name as well. Old links write `;` for `:`.
  const text = steps.join('/').replace(';', ':')
  if (!text.includes(':')) return undefined
  try {
    const xpath = parseXpath(model, text)
    return xpath.type.kind === 'blob' ? xpath : undefined
  } catch (error) {
    if (unknownProperty.is(error)) return undefined
    throw error
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
