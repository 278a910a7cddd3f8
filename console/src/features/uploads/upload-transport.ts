import { call, Problem } from '../../api/client.ts'
import { NetworkLoss, type UploadTransport } from './upload-queue.ts'

/** Over the API of batches: what has arrived stays on the server for hours, so that a lost network costs one chunk. */
export const batchTransport: UploadTransport = {
  openBatch: (signal) => orLoss(async () => (await call<{ batchId: string }>('upload', { method: 'POST', signal })).batchId),

  listChunks: (batchId, signal) =>
    orLoss(async () => {
      try {
        const info = await call<{ uploadedChunkIds?: number[] }>(`upload/${batchId}/0`, { signal })
        return new Set(info.uploadedChunkIds ?? [])
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 404) throw error
        // A batch of which nothing has arrived, or one that is gone.
        return await isThere(batchId, signal)
      }
    }),

  sendChunk: ({ batchId, file, index, count, bytes }, signal) =>
    orLoss(async () => {
      const headers = {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Index': String(index),
        'X-Upload-Chunk-Count': String(count),
        'X-File-Name': encodeURIComponent(file.name),
        'X-File-Size': String(file.size),
        ...(file.type !== '' && { 'X-File-Type': file.type }),
      }
      try {
        await call(`upload/${batchId}/0`, { method: 'POST', bytes, headers, signal })
      } catch (error) {
        // It arrived before, and only the answer to it was lost.
        if (!(error instanceof Problem) || error.status !== 409) throw error
      }
    }),

  finish: ({ id, batchId, parentId, replaces = false }, signal) =>
    orLoss(async () => {
      await call(`upload/${batchId}/0/execute/FileManager.Import`, {
        method: 'POST',
        // Spelled like this by the operation.
        json: { params: { overwite: replaces }, context: { currentDocument: parentId } },
        // Asked twice, the server answers twice and does it once.
        headers: { 'Idempotency-Key': id },
        signal,
      })
    }),
}

async function isThere(batchId: string, signal: AbortSignal): Promise<ReadonlySet<number> | undefined> {
  try {
    await call(`upload/${batchId}/info`, { signal })
    return new Set()
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}

async function orLoss<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Problem && (error.isOffline || error.isForNow || error.status >= 502))
      throw new NetworkLoss(error.message)
    throw error
  }
}
