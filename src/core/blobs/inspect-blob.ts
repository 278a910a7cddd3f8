import type { BlobValue } from '../../model/properties/property.ts'
import type { Repository } from '../session.ts'

/** The blob as a document should get it. Code that takes a file from outside calls this before the transaction that uses it. */
export async function inspectBlob({ blobInspectors, blobs }: Repository, blob: BlobValue): Promise<BlobValue> {
  let seen = blob
  for (const inspector of blobInspectors) seen = await inspector.inspect(seen, blobs)
  return seen
}
