import type { IsoDate } from '../../base/iso-date.ts'
import type { DocumentId } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'

/** What a user asked to be done to the documents of a search. It never changes. */
export type BulkCommand = {
  readonly id: string
  readonly action: string
  readonly parameters: JsonObject
  /** The whole query, all its parameters filled in. */
  readonly query: string
  /** Finds documents regardless of rights, as the provider of the query does. */
  readonly isUnrestricted: boolean
  /** Only so many documents; null for all. */
  readonly limit: number | null
  /** Documents that are found and left alone. */
  readonly excluded: readonly DocumentId[]
  /** Documents in one transaction; null for as many as the action says. */
  readonly batchSize: number | null
  /** The base URL of links for the user who asked. */
  readonly baseUrl: string
  readonly username: string
  readonly submitted: IsoDate
}

/** The defaults of a command, also of one that an older program stored. */
export const unlessTold = { limit: null, excluded: [], batchSize: null, baseUrl: '' } as const satisfies Partial<BulkCommand>

/** How far it has come. */
export type BulkProgress = {
  /** Documents found so far. */
  readonly total: number
  /** The last that the search gave, be it left alone. */
  readonly lastFound: DocumentId | null
  readonly processed: number
  readonly errorCount: number
  /** Of the first document that failed. */
  readonly errorMessage: string | null
  readonly scrollStart: IsoDate | null
  readonly scrollEnd: IsoDate | null
  readonly processingStart: IsoDate | null
  readonly processingEnd: IsoDate | null
  readonly processingMillis: number
  readonly completed: IsoDate | null
  readonly isAborted: boolean
  /** What was made of the documents; absent where nothing is. */
  readonly result?: JsonObject
}

export const notBegun: BulkProgress = {
  total: 0,
  lastFound: null,
  processed: 0,
  errorCount: 0,
  errorMessage: null,
  scrollStart: null,
  scrollEnd: null,
  processingStart: null,
  processingEnd: null,
  processingMillis: 0,
  completed: null,
  isAborted: false,
}

export type BulkState = 'SCHEDULED' | 'SCROLLING_RUNNING' | 'RUNNING' | 'COMPLETED' | 'ABORTED'

export function stateOf({ isAborted, completed, scrollStart, scrollEnd }: BulkProgress): BulkState {
  if (isAborted) return 'ABORTED'
  if (completed !== null) return 'COMPLETED'
  if (scrollStart === null) return 'SCHEDULED'
  return scrollEnd === null ? 'SCROLLING_RUNNING' : 'RUNNING'
}

export interface FoundPage {
  /** Those that something is to be done to. */
  readonly ids: readonly DocumentId[]
  /** The last that was found, also when nothing is to be done to it. */
  readonly lastFound: DocumentId | null
  readonly isLast: boolean
  /** Something is made of them, also where there are none. */
  readonly isProduced?: boolean
}

/** After documents were found; the last of them end the search, and where there are none, mostly everything. */
export function withFound(
  progress: BulkProgress,
  { ids, lastFound, isLast, isProduced = false }: FoundPage,
  now: IsoDate,
): BulkProgress {
  const total = progress.total + ids.length
  const scrollEnd = isLast ? now : null
  const completed = isLast && total === 0 && !isProduced ? now : null
  return { ...progress, total, lastFound, scrollStart: progress.scrollStart ?? now, scrollEnd, completed }
}

export interface BulkBatch {
  readonly size: number
  /** Why one of them failed; undefined when all went well. */
  readonly failure?: string
  readonly began: IsoDate
  readonly ended: IsoDate
}

/** After some documents were done, or one of them failed. */
export function withBatch(progress: BulkProgress, { size, failure, began, ended }: BulkBatch): BulkProgress {
  const processed = progress.processed + size
  const isLast = processed === progress.total
  return {
    ...progress,
    processed,
    errorCount: progress.errorCount + (failure === undefined ? 0 : size),
    errorMessage: progress.errorMessage ?? failure ?? null,
    processingStart: progress.processingStart ?? began,
    processingEnd: isLast ? ended : null,
    processingMillis: progress.processingMillis + Date.parse(ended) - Date.parse(began),
    completed: isLast ? ended : null,
  }
}

/** While one thing is made of all documents, of which some were read; with the result it is over. */
export function withProduced(progress: BulkProgress, processed: number, now: IsoDate, result?: JsonObject): BulkProgress {
  const began = progress.processingStart ?? now
  const reached = { ...progress, processed, processingStart: began, processingMillis: Date.parse(now) - Date.parse(began) }
  return result === undefined ? reached : { ...reached, processingEnd: now, completed: now, result }
}

/** Given up where it stands; what is over stays as it ended. */
export function aborted(progress: BulkProgress, now: IsoDate): BulkProgress {
  return isOver(progress) ? progress : { ...progress, isAborted: true, completed: now }
}

/** Given up because nothing more can be done to any document: all that are left have failed, and if none was found yet, it has. */
export function failed(progress: BulkProgress, failure: string, now: IsoDate): BulkProgress {
  const left = Math.max(1, progress.total - progress.processed)
  const { errorCount, errorMessage } = progress
  return { ...aborted(progress, now), errorCount: errorCount + left, errorMessage: errorMessage ?? failure }
}

export function isOver({ completed }: BulkProgress): boolean {
  return completed !== null
}
