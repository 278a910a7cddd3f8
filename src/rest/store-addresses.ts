import type { Document } from '../model/document.ts'
import type { BlobValue } from '../model/property.ts'
import type { BlobWriter } from './blob-json.ts'
import { contentDisposition } from './content-disposition.ts'
import { contentTypeOf } from './download-headers.ts'
import { mayDownload } from './download-rule.ts'
import type { RenderContext } from './rendering.ts'

/** Blobs as they were written for a document, whose addresses are still to be replaced by those of the store. */
export interface StoreAddresses {
  readonly write: BlobWriter
  /** Replaces them, but for those that may not be downloaded: at our address somebody looks at that again. */
  fill(): Promise<void>
}

/** Undefined where the store has no addresses of its own, or nobody wants them shown. */
export function findStoreAddresses(context: RenderContext, document: Document, write: BlobWriter): StoreAddresses | undefined {
  const { session, services } = context
  const { blobs } = session.repository
  if (!services.downloads.showsStoreAddresses || blobs.directUrl === undefined) return undefined
  const written: { readonly json: { data?: unknown }; readonly blob: BlobValue; readonly xpath: string }[] = []
  return {
    write(blob, xpath) {
      const json = write(blob, xpath) as object
      written.push({ json, blob, xpath })
      return json
    },
    async fill() {
      for (const { json, blob, xpath } of written) {
        if (!(await mayDownload(services.downloads.rules, session, { blob, document, xpath, reason: 'download' }))) continue
        json.data = await blobs.directUrl?.(blob.key, {
          contentType: contentTypeOf(blob),
          contentDisposition: contentDisposition('attachment', blob.name?.trim() || 'file'),
          cacheControl: 'private',
        })
      }
    },
  }
}
