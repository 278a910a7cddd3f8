import { dropBatch } from '../../core/uploads/batches.ts'
import { findUploadedBlob } from '../../core/uploads/use-file.ts'
import { Type } from '../openapi/schema.ts'
import { saveHeaders } from '../request/declared-headers.ts'
import type { Sender } from '../request/exchange.ts'
import { readHeaders } from './declared-input.ts'
import type { UploadedFiles } from './sent-blobs.ts'

const batchHeaders = Type.Object({ 'X-Batch-No-Drop': saveHeaders['X-Batch-No-Drop'] })

/** The uploaded files that a request may use. A batch that it names has served its purpose, whatever becomes of the request. */
export function uploadedFilesOf(exchange: Sender): UploadedFiles {
  const used = new Set<string>()
  return {
    find(batchId, fileId) {
      if (!used.has(batchId)) dropAtEnd(exchange, batchId)
      used.add(batchId)
      return findUploadedBlob(exchange.services.uploads, batchId, fileId)
    },
  }
}

/** Drops a batch when the request ends, unless the client goes on to use it. */
export function dropAtEnd(exchange: Sender, batchId: string): void {
  if (readHeaders(batchHeaders, exchange.request)['X-Batch-No-Drop']) return
  exchange.atEnd(() => dropBatch(exchange.services.uploads, batchId))
}
