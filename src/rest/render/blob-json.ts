import type { Document } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { blobUrl } from './blob-url.ts'
import type { RenderContext } from './rendering.ts'
import { shownChangeToken } from './shown-change-token.ts'

/** Writes a blob that stands at an xpath of one document. */
export type BlobWriter = (blob: BlobValue, xpath: string) => unknown

/** `data` is where the bytes are; empty when the blob belongs to no stored document. */
export function writeBlob(blob: BlobValue, data: string): { [field: string]: unknown } {
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

export function blobWriterFor(context: RenderContext, document: Document, isStored: boolean): BlobWriter {
  const { session, request } = context
  const write: BlobWriter = (blob, xpath) => {
    if (!isStored) return writeBlob(blob, '')
    const changeToken = shownChangeToken(session.repository.rules, document)
    const { repository, id: documentId } = document
    return writeBlob(blob, blobUrl(request.baseUrl, { repository, documentId, xpath, name: blob.name, changeToken }))
  }
  // Other programs open only what external providers keep; the local store has no such links to offer.
  return context.enrichers('blob').includes('appLinks')
    ? (blob, xpath) => ({ ...(write(blob, xpath) as object), appLinks: [] })
    : write
}
