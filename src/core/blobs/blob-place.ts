import { defineProblem } from '../../base/problem.ts'
import type { Document } from '../../model/document.ts'
import { isBlobValue } from '../../model/properties/property.ts'
import { formatXpath, parseXpath, unknownProperty, valueAt, type Xpath } from '../../model/properties/xpath.ts'
import type { Shape } from '../../model/shape.ts'
import { shapeSeen } from '../documents/proxies/proxy.ts'
import { type DocumentBlob, hasMainFile, type Modelled, mainBlob, mainFile, otherBlobs } from './document-blobs.ts'

export const blobNotFound = defineProblem(
  'blobNotFound',
  'notFound',
  (of: { xpath: string }) => `There is no file at ${of.xpath}.`,
)

/** Where in a document an address points. */
export type BlobPlace =
  | { readonly kind: 'property'; readonly xpath: Xpath }
  /** A text that is served as a file and cannot be replaced by one. */
  | { readonly kind: 'text'; readonly found: DocumentBlob }
  | { readonly kind: 'nowhere' }

const nowhere: BlobPlace = { kind: 'nowhere' }

/** The blob at an address: `file:content`, `files:files/0/file`, or `blobholder:0` for the main one. */
export function findBlobAt(modelled: Modelled, document: Document, address: string): DocumentBlob | undefined {
  const place = findBlobPlace(modelled, document, address)
  if (place.kind !== 'property') return place.kind === 'text' ? place.found : undefined
  const blob = valueAt(document.properties, place.xpath)
  return isBlobValue(blob) ? { xpath: formatXpath(place.xpath), blob } : undefined
}

/** @throws blobNotFound */
export function readBlobAt(modelled: Modelled, document: Document, address: string): DocumentBlob {
  const found = findBlobAt(modelled, document, address)
  if (found === undefined) throw blobNotFound({ xpath: address })
  return found
}

/** The place, whether or not a blob is there now. */
export function findBlobPlace(modelled: Modelled, document: Document, address: string): BlobPlace {
  const number = findBlobNumber(address)
  return number === undefined ? findProperty(modelled, document, address) : findHeld(modelled, document, number)
}

/** The number of `blobholder:3`; there is one way only to write it. */
export function findBlobNumber(address: string): number | undefined {
  const found = /^blobholder:(0|[1-9]\d*)$/.exec(address)
  return found === null ? undefined : Number(found[1])
}

/** Number 0 is the place of the main blob, also while it has none. */
function findHeld(modelled: Modelled, document: Document, number: number): BlobPlace {
  if (number === 0 && hasMainFile(shapeSeen(modelled.model, document))) return findProperty(modelled, document, mainFile)
  const found = number === 0 ? mainBlob(modelled, document) : otherBlobs(modelled, document)[number - 1]
  if (found === undefined) return nowhere
  return found.bytes === undefined ? findProperty(modelled, document, found.xpath) : { kind: 'text', found }
}

function findProperty({ model }: Modelled, document: Document, address: string): BlobPlace {
  const shape = shapeSeen(model, document)
  const main = mainBlob({ model }, document)
  if (main?.bytes !== undefined && main.xpath === address) return { kind: 'text', found: main }
  const text = address.includes(':') ? address : findPrefixed(shape, address)
  if (text === undefined) return nowhere
  try {
    const xpath = parseXpath(model, text)
    return xpath.type.kind === 'blob' && shape.properties.has(xpath.property.name) ? { kind: 'property', xpath } : nowhere
  } catch (error) {
    if (unknownProperty.is(error)) return nowhere
    throw error
  }
}

/** Fields of schemas that declare no prefix go by their bare names as well. */
function findPrefixed(shape: Shape, address: string): string | undefined {
  const [field = ''] = address.split('/', 1)
  const schema = shape.schemas.find(({ prefix, fields }) => prefix === undefined && fields.some(({ name }) => name === field))
  return schema && `${schema.name}:${address}`
}
