import { seededBytes, seededDigest } from '../../support/seeded-bytes.ts'

/** Bytes that follow from a number, so that nobody has to keep them. */
export interface Content {
  readonly seed: number
  readonly length: number
}

/** Digests of what a document has in `file:content` and in `files:files`. */
export interface Attached {
  readonly main: string | null
  readonly others: readonly string[]
}

/** A file on its way into a batch. Sent at once, it is one chunk. */
export interface SentFile {
  readonly content: Content
  readonly kind: 'normal' | 'chunked'
  readonly chunkCount: number
  /** Numbers of the chunks that were sent, and of those that the server said it has. */
  readonly sent: Set<number>
  readonly acknowledged: Set<number>
}

export interface Batch {
  readonly id: string
  readonly files: SentFile[]
}

/** A write that was sent and not answered: it happened wholly or not at all, and nobody can say which. */
export type Unanswered =
  | { readonly kind: 'create'; readonly name: string; readonly after: Attached; readonly batch: Batch }
  | {
      readonly kind: 'update'
      readonly id: string
      readonly before: Attached
      readonly after: Attached
      readonly batch?: Batch
    }
  | { readonly kind: 'remove'; readonly id: string; readonly before: Attached }

/** What a server owes its clients after it was killed. */
export interface Journal {
  readonly documents: Map<string, Attached>
  /** Those that no document has used yet. */
  readonly batches: Set<Batch>
  /** Those that a document has used without anybody being told, so that they may still be there. */
  readonly leftOver: Set<Batch>
  readonly unanswered: Set<Unanswered>
  /** How many requests that changed something were acknowledged, ever. */
  acknowledged: number
}

export function createJournal(): Journal {
  return { documents: new Map(), batches: new Set(), leftOver: new Set(), unanswered: new Set(), acknowledged: 0 }
}

export function chunkOf({ content: { seed, length }, chunkCount }: SentFile, chunk: number): Buffer<ArrayBuffer> {
  const start = Math.floor((length * chunk) / chunkCount)
  const end = Math.floor((length * (chunk + 1)) / chunkCount)
  return seededBytes(seed, start, end - start)
}

/** What a document has that got all files of a batch: the first as its main one. */
export function attachedFrom({ files }: Batch): Attached {
  const [main = null, ...others] = files.map(({ content }) => seededDigest(content.seed, content.length))
  return { main, others }
}

/** Nobody needs the batch any more, whether it is still there or not. */
export function leaveOver(journal: Journal, batch: Batch): void {
  journal.batches.delete(batch)
  journal.leftOver.add(batch)
}

export function isSame(left: Attached, right: Attached): boolean {
  return describeAttached(left) === describeAttached(right)
}

export function describeAttached({ main, others }: Attached): string {
  return [main ?? 'no file', ...others].join(' and ')
}
