import type { Document } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { blobUrl } from './blob-url.ts'
import { type RenderContext, shownChangeToken } from './rendering.ts'

/** A file as a property of a document shows it. */
export const blobSchema = Type.Object(
  {
    name: Type.Nullable(Type.String()),
    'mime-type': Type.Nullable(Type.String()),
    encoding: Type.Nullable(Type.String()),
    digestAlgorithm: Type.Nullable(Type.String()),
    digest: Type.Nullable(Type.String()),
    length: Type.String({ description: 'Bytes, in digits' }),
    data: Type.String({ description: 'Where the bytes are; empty when the blob belongs to no stored document' }),
    appLinks: Type.Optional(Type.Array(Type.Unknown(), { description: 'With the enricher of that name' })),
  },
  { $id: 'Blob' },
)

type BlobEntity = Static<typeof blobSchema>

/** Writes a blob that stands at an xpath of one document. */
export type BlobWriter = (blob: BlobValue, xpath: string) => unknown

export type BlobEntityWriter = (blob: BlobValue, xpath: string) => BlobEntity

export function writeBlob(blob: BlobValue, data: string): BlobEntity {
  return {
    name: blob.name,
    'mime-type': blob['mime-type'],
    encoding: blob.encoding,
    digestAlgorithm: blob.digestAlgorithm,
    digest: blob.digest,
    length: String(blob.length),
    data,
  }
}

export function blobWriterFor(context: RenderContext, document: Document, isStored: boolean): BlobEntityWriter {
  const { session, request } = context
  const write: BlobEntityWriter = (blob, xpath) => {
    if (!isStored) return writeBlob(blob, '')
    const changeToken = shownChangeToken(session.repository.rules, document)
    const { repository, id: documentId } = document
    return writeBlob(blob, blobUrl(request.baseUrl, { repository, documentId, xpath, name: blob.name, changeToken }))
  }
  // Other programs open only what external providers keep; the local store has no such links to offer.
  return context.enrichers('blob').includes('appLinks') ? (blob, xpath) => ({ ...write(blob, xpath), appLinks: [] }) : write
}
