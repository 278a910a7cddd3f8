import type { IsoDate } from '../../base/iso-date.ts'
import type { StoredBlob } from '../../store/blobs/blob-store.ts'

/** The row of a batch. */
export interface BatchMark {
  readonly handler: string
  /** When its rows were last given their full time. */
  readonly renewed: IsoDate
}

interface FileFacts {
  readonly name: string | null
  readonly mimeType: string | null
}

/** The row of a file. */
export type FileMark = FileFacts &
  (
    | { readonly kind: 'normal'; readonly blob: StoredBlob }
    | {
        readonly kind: 'chunked'
        /** Tells it from another that is sent under the same number. */
        readonly id: string
        /** As the client told it; -1 when it did not. */
        readonly size: number
        readonly chunkCount: number
        /** Null until the chunks are put together. */
        readonly blob: StoredBlob | null
      }
  )

/** The row of a chunk. */
export type ChunkMark = StoredBlob
