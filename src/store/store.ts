import type { Problem } from '../base/problem.ts'
import type { AcpReader, AcpWriter } from './acps.ts'
import type { BlobKeyReader, BlobKeyWriter } from './blob-keys.ts'
import type { DirectoryReader, DirectoryWriter } from './directories.ts'
import type { DocumentReader, DocumentWriter } from './documents.ts'
import type { AwaitingText, FileTextReader, FileTextWriter } from './file-texts.ts'
import type { AddedJob, JobReader, JobWriter } from './jobs.ts'
import type { SearchReader } from './search.ts'
import type { Snapshot } from './snapshot.ts'
import type { TableReader, TableWriter } from './tables.ts'
import type { TransientReader, TransientWriter } from './transient.ts'

/** Looks things up, each call by itself: it sees what was committed when the call is made. */
export interface Reader {
  readonly documents: DocumentReader
  readonly acps: AcpReader
  readonly directories: DirectoryReader
  readonly jobs: JobReader
  readonly transient: TransientReader
  readonly search: SearchReader
  readonly fileTexts: FileTextReader
  readonly blobKeys: BlobKeyReader
  /** Those of plugins. */
  readonly tables: TableReader
}

/** Reads and writes that commit together or not at all. Nothing in its body may wait for anything but the store. */
export interface Transaction {
  readonly documents: DocumentWriter
  readonly acps: AcpWriter
  readonly directories: DirectoryWriter
  readonly jobs: JobWriter
  readonly transient: TransientWriter
  /** Finds what the transaction has written, too. */
  readonly search: SearchReader
  readonly fileTexts: FileTextWriter
  /** Documents that were written in this transaction and have files whose text was not known then. */
  listAwaitingTexts(): readonly AwaitingText[]
  readonly blobKeys: BlobKeyWriter
  /** Those of plugins. */
  readonly tables: TableWriter
  /**
   * Runs the body; when it fails, all that it wrote is undone and nothing else, and what it threw is thrown. Attempts may lie in
   * each other, but not side by side at the same time.
   */
  attempt<Result>(body: () => Promise<Result>): Promise<Result>
  /** Runs once the transaction has committed; never when it rolled back. Best effort: the process may die before. */
  afterCommit(action: () => void): void
  /** Has all that is written go through the watch, before what watched already. To be called before anything is written. */
  watch(watch: TransactionWatch): void
}

/** Stands between a transaction and those who write in it: each port is asked for once, when it is first used. */
export interface TransactionWatch {
  documents?(documents: DocumentWriter): DocumentWriter
  acps?(acps: AcpWriter, documents: DocumentReader): AcpWriter
  directories?(directories: DirectoryWriter): DirectoryWriter
  /** An attempt begins; gives what takes the watch back to how it is now. */
  mark?(): () => void
}

export interface TransactOptions {
  /** Rolls back and refuses with `transactionTimedOut` when the body has not finished by then. */
  readonly timeoutSeconds?: number
}

/** One repository's database. */
export interface Store {
  readonly engine: 'sqlite' | 'postgres'
  readonly reader: Reader
  /**
   * Runs the body in a transaction and gives its result once that is durable. A storage conflict (serialization,
   * deadlock, busy) runs the body again, a few times; so the body must not keep anything from an earlier run.
   * @throws storageConflict when the conflict persists.
   */
  transact<Result>(body: (tx: Transaction) => Promise<Result>, options?: TransactOptions): Promise<Result>
  /**
   * Calls the listener when a transaction of this process has committed a job. Other processes' jobs are found by looking. Gives the
   * function that ends it.
   */
  onJobsAdded(listener: (job: AddedJob) => void): () => void
  /**
   * Lets all processes on this database know soon that something was committed which they wait for. Best effort: the process may die
   * before, so who may miss nothing looks by themselves, too.
   */
  nudge(): void
  /** Calls the listener when another process has nudged, or may have. Gives the function that ends it. */
  onNudged(listener: () => void): () => void
  /** Has this process add jobs of these kinds only: others are the mistake of a plugin, and adding one throws. */
  admitJobs(kinds: Iterable<string>): void
  /**
   * Comes before this process runs jobs of the database. Where the engine knows that no other process does, jobs that are said to
   * be running are abandoned: `whenAlone` is called before any other process can begin to.
   */
  joinWorkers(whenAlone: () => Promise<void>): Promise<void>
  /**
   * The transactions, of any process, that have written to a table, or locked rows of it, and have not ended, by names that none has again
   * while it lasts. What the database numbers they may commit after what got a larger number; of what was seen before this was asked all
   * that came before it is there once none of these is left. None where the engine has one writer.
   */
  writersOf(table: string): Promise<readonly string[]>
  /** The database as it is now. The caller closes it; until then the engine keeps what is removed or changed meanwhile. */
  openSnapshot(): Promise<Snapshot>
  /** A request has come in: what other processes committed before it was sent is seen from here on. */
  meetRequest(): void
  /** Whether the database answers. */
  isAlive(): Promise<boolean>
  /** What is known to keep the database from being written to, without looking. */
  findFlaw(): Problem | undefined
  /** @throws a problem that says why what is written here may be lost, or cannot be written at all. */
  check(): Promise<void>
  close(): Promise<void>
}
