import type { DocumentId } from '../../model/document.ts'
import type { SqlRow, SqlStatement } from '../sql/connection.ts'
import { idOf } from '../sql/documents/document-row.ts'
import {
  type DatabaseState,
  databaseState,
  differingDocuments,
  differingInLists,
  type RowStamp,
  stampedByPath,
  stateOf,
  wantedOf,
} from './lookup-statements.ts'

/** Runs statements one after the other on one connection, all sent at once. Gives the rows of each. */
export type StatementPipeline = (statements: readonly SqlStatement[]) => Promise<readonly (readonly SqlRow[])[]>

/** What is asked for in one turn of the event loop; those who ask add to it. */
export interface LookupBatch {
  readonly documents: Map<DocumentId, RowStamp>
  readonly listed: Map<DocumentId, RowStamp>
  readonly paths: Set<string>
}

/** What became of a document: it is as it was known, there is none, or this is its row. */
type Outcome = 'same' | 'none' | SqlRow

export interface Answered {
  readonly state: DatabaseState
  document(id: DocumentId): Outcome
  listed(id: DocumentId): Outcome
  byPath(path: string): SqlRow | undefined
}

/** Look-ups that go to the database together: those of all requests in a turn of the event loop are one round trip. */
export interface BatchedLookups {
  /**
   * The state of the database, for what goes on at once after an answer that brought it. Nothing else has come in since: neither a
   * request nor another answer that could tell of something newer.
   */
  known(): DatabaseState | undefined
  /** The version of the state that was told last, which may not be that of the database any more. */
  lastVersion(): string | undefined
  /** Something begins that may know of newer things: a request that waited for another one to end. */
  forget(): void
  /** An answer has brought it just now. */
  note(row: SqlRow | undefined): void
  readState(): Promise<DatabaseState>
  /** A connection broke: what the server says from here on may be about another state of the same name. */
  distrust(): void
  ask(want: (wanted: LookupBatch) => void): Promise<Answered>
}

interface PendingBatch {
  readonly wanted: LookupBatch
  readonly answered: PromiseWithResolvers<Answered>
}

/** @param onOtherServer called before anything is answered from another server than the one before. */
export function batchLookups(send: StatementPipeline, onOtherServer: () => void): BatchedLookups {
  let state: DatabaseState | undefined
  let lastVersion: string | undefined
  let server: string | undefined
  let breaks = 0
  let next: PendingBatch | undefined
  let isNextScheduled = false
  let isStateUnderway = false

  function note(row: SqlRow | undefined): DatabaseState {
    if (row === undefined) throw new Error('The state of the database is one row.')
    const told = stateOf(row)
    const noted = { ...told, version: `${breaks} ${told.version}` }
    if (server !== undefined && server !== noted.server) onOtherServer()
    server = noted.server
    state = noted
    lastVersion = noted.version
    // Those who waited for the answer go on in microtasks, and all of these come before it.
    process.nextTick(forget)
    return noted
  }

  function forget(): void {
    state = undefined
  }

  async function askNow(wanted: LookupBatch): Promise<Answered> {
    const { documents, listed, paths } = wanted
    const [noted, wholeRows, listedRows, pathRows] = await sendPresent([
      databaseState,
      documents.size > 0 && differingDocuments(documents),
      listed.size > 0 && differingInLists(listed),
      paths.size > 0 && stampedByPath([...paths]),
    ])
    const [byId, listedById, byPath] = [byWanted(wholeRows), byWanted(listedRows), byWanted(pathRows)]
    return {
      state: note(noted?.[0]),
      document: (id) => outcomeOf(id, documents, byId),
      listed: (id) => outcomeOf(id, listed, listedById),
      byPath: (path) => byPath.get(path),
    }
  }

  /** The state comes first: what is found after it is of that state or a later one, and whoever meets that state again meets no later one. */
  async function sendPresent(statements: readonly (SqlStatement | false)[]): Promise<readonly (readonly SqlRow[])[]> {
    const rows = [...(await send(statements.filter((statement) => statement !== false)))]
    return statements.map((statement) => (statement === false ? [] : (rows.shift() ?? [])))
  }

  async function sendNext(batch: PendingBatch): Promise<void> {
    next = undefined
    isNextScheduled = false
    const isStateOnly = wantsNothing(batch.wanted)
    if (isStateOnly) isStateUnderway = true
    try {
      batch.answered.resolve(await askNow(batch.wanted))
    } catch (error) {
      batch.answered.reject(error)
    }
    if (isStateOnly) isStateUnderway = false
    if (next !== undefined) schedule(next)
  }

  /**
   * After all requests that this turn brings. Those who want nothing but the state, as requests for cached documents do, wait until it
   * is no longer underway: it comes soon, and the busier the server is the more of them share the next.
   */
  function schedule(batch: PendingBatch): void {
    if (isNextScheduled || (isStateUnderway && wantsNothing(batch.wanted))) return
    isNextScheduled = true
    setImmediate(setImmediate, sendNext, batch)
  }

  function ask(want: (wanted: LookupBatch) => void): Promise<Answered> {
    next ??= { wanted: { documents: new Map(), listed: new Map(), paths: new Set() }, answered: Promise.withResolvers() }
    want(next.wanted)
    schedule(next)
    return next.answered.promise
  }

  return {
    known: () => state,
    lastVersion: () => lastVersion,
    forget,
    note,
    readState: async () => state ?? (await ask(() => {})).state,
    ask,
    distrust() {
      breaks += 1
    },
  }
}

function wantsNothing({ documents, listed, paths }: LookupBatch): boolean {
  return documents.size + listed.size + paths.size === 0
}

/** Those who know different rows of one document are both given the one that there is. */
export function want(asked: Map<DocumentId, RowStamp>, id: DocumentId, stamp: RowStamp): void {
  const before = asked.get(id)
  asked.set(id, before === undefined || before === stamp ? stamp : null)
}

function outcomeOf(id: DocumentId, asked: ReadonlyMap<DocumentId, RowStamp>, rows: ReadonlyMap<string, SqlRow>): Outcome {
  const row = rows.get(id)
  if (row === undefined) return asked.get(id) === null ? 'none' : 'same'
  return idOf(row) === null ? 'none' : row
}

function byWanted(rows: readonly SqlRow[] = []): ReadonlyMap<string, SqlRow> {
  return new Map(rows.map((row) => [wantedOf(row), row]))
}
