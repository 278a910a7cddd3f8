/** The uploads that this process is receiving, by their batches. */
export interface UploadsInProgress {
  /** Counts as in progress for as long as the upload takes. */
  during<Result>(batchId: string, upload: () => Promise<Result>): Promise<Result>
  /** Waits until any upload of the batch ends, or so long; false when there is none to wait for. */
  next(batchId: string, millis: number): Promise<boolean>
}

export function createUploadsInProgress(): UploadsInProgress {
  const running = new Map<string, Set<Promise<unknown>>>()

  function forget(batchId: string, upload: Promise<unknown>): void {
    const uploads = running.get(batchId)
    uploads?.delete(upload)
    if (uploads?.size === 0) running.delete(batchId)
  }

  return {
    async during(batchId, upload) {
      const ended = Promise.withResolvers<void>()
      const uploads = running.get(batchId) ?? new Set()
      running.set(batchId, uploads.add(ended.promise))
      try {
        return await upload()
      } finally {
        forget(batchId, ended.promise)
        ended.resolve()
      }
    },

    async next(batchId, millis) {
      const uploads = running.get(batchId)
      if (uploads === undefined) return false
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, millis)
      await Promise.race([patience.promise, ...uploads])
      clearTimeout(timer)
      return true
    },
  }
}
