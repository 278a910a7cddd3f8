import type { Log } from '../../base/log.ts'
import { Durations, LabelledCounter, type Metrics } from '../../base/metrics.ts'
import { offTracer, type Tracer } from '../../base/tracing.ts'
import { isBlobKey } from '../../store/blobs/blob-digest.ts'
import { type BlobStore, blobDamaged, blobMissing, type StoredBlob } from '../../store/blobs/blob-store.ts'

/**
 * The same blobs, with a note and a line in the log about each that is read and found missing or damaged: the health check tells
 * of it, and the upload that brings it again replaces it.
 */
export function watchBlobs(
  blobs: BlobStore,
  { log, metrics, tracer = offTracer }: { readonly log: Log; readonly metrics?: Metrics; readonly tracer?: Tracer },
): BlobStore {
  const measured = createBlobMeasures(tracer)
  metrics?.add(measured.families)
  const read: BlobStore['read'] = async (key, range, length) => {
    try {
      return await measured.run('read', () => blobs.read(key, range, length))
    } catch (err) {
      if (isBlobKey(key) && (blobMissing.is(err) || blobDamaged.is(err))) await note(key, err)
      throw err
    }
  }
  const note = async (key: string, err: unknown) => {
    log.error({ event: 'blob.flawed', key, err }, 'a file is missing or damaged')
    // The caller is told what is wrong with the file, and not what is wrong with the note.
    await blobs.flaws.mark(key).catch(() => {})
  }
  const writing = async (work: () => Promise<StoredBlob>): Promise<StoredBlob> => {
    const written = await measured.run('write', work)
    measured.noteWritten(written.length)
    return written
  }
  const { writeFile } = blobs
  return {
    ...blobs,
    read,
    write: (content, options) => writing(() => blobs.write(content, options)),
    ...(writeFile && { writeFile: (path: string) => writing(() => writeFile(path)) }),
  }
}

function createBlobMeasures(tracer: Tracer) {
  const operations = new LabelledCounter('quire_blob_operations_total', 'Files opened for reading and files written, by outcome')
  const durations = new Durations(
    'quire_blob_operation_duration_seconds',
    'Time until a file was open for reading, or written and durable',
  )
  const bytes = new LabelledCounter('quire_blob_written_bytes_total', 'Bytes of files that were written')
  return {
    families: () => [operations.family(), durations.family(), bytes.family()],
    noteWritten: (length: number) => bytes.add({}, length),
    async run<Result>(operation: 'read' | 'write', work: () => Promise<Result>): Promise<Result> {
      const since = performance.now()
      let outcome = 'failed'
      try {
        const result = await (tracer.isOn ? tracer.run({ name: `file ${operation}`, kind: 'client' }, work) : work())
        outcome = 'done'
        return result
      } finally {
        operations.add({ operation, outcome })
        durations.add({ operation }, since)
      }
    },
  }
}
