import type { IsoDate } from '../base/iso-date.ts'
import type { Json } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import type { Tracer } from '../base/tracing.ts'
import type { Document, DocumentId } from '../model/document.ts'
import type { Resolver } from '../model/field.ts'
import type { Model } from '../model/model.ts'
import type { ValueBounds } from '../model/properties/value-bounds.ts'
import type { Ace } from '../model/rights/acl.ts'
import type { Principal } from '../model/rights/principal.ts'
import type { PropertyDefinition } from '../model/shape.ts'
import type { Query } from '../nxql/query.ts'
import type { QueryCompiler } from '../nxql/query-compiler.ts'
import type { BlobStore } from '../store/blobs/blob-store.ts'
import type { DirectoryEntry } from '../store/directories.ts'
import type { Place } from '../store/documents.ts'
import type { SearchScope } from '../store/search.ts'
import type { Reader, Store, Transaction } from '../store/store.ts'
import type { BlobInspector } from './blobs/blob-inspector.ts'
import type { Directories } from './directories/directories.ts'
import type { SaveOptions } from './save-options.ts'
import type { PageProviders } from './search/providers/page-providers.ts'
import type { SearchRules } from './search/search-rules.ts'

// A session reaches its repository, the repository its listeners, and a listener is handed a session: types that name
// each other in a circle stand in one file.

/** A principal reading a repository. */
export interface Session {
  readonly principal: Principal
  readonly repository: Repository
  readonly model: Model
  readonly reader: Reader
  /** One moment for all that the session does, so that stamps of one request agree. */
  readonly now: IsoDate
  /** The same session without limits: for what the server does on the principal's behalf. */
  asSystem(): Session
}

/** A principal changing a repository, in a transaction that is the whole request. */
export interface WriteSession extends Session {
  /** Told with its events, so that those of one request can be found together. */
  readonly id: string
  readonly tx: Transaction
  /** Events announced so far; listeners after the commit get them all. */
  readonly events: EventBundle
  /** Has the file watchers write what they know so far, for who reads it in this transaction. */
  settleFiles(): Promise<void>
  asSystem(): WriteSession
}

/** A running repository: its store and everything that decides what happens to the documents in it. */
export interface Repository {
  readonly name: string
  readonly store: Store
  readonly model: Model
  readonly acps: AcpCache
  readonly blobs: BlobStore
  readonly blobInspectors: readonly BlobInspector[]
  readonly listeners: ListenerTable
  readonly serverListeners: readonly ServerListener[]
  /** Users, groups and vocabularies of the whole server, in the store of its home. */
  readonly directories: Directories
  /** The repository of the server in which directories live; this one itself, or another. */
  readonly home: Repository
  readonly securityPolicies: readonly SecurityPolicy[]
  readonly fileWatchers: readonly FileWatcher[]
  readonly references: References
  readonly rules: ContentRules
  readonly queries: QueryCompiler
  readonly pageProviders: PageProviders
  readonly searchRules: SearchRules
  /** Finds documents beside the database, where there is one. */
  readonly searchIndex?: SearchIndex
  readonly log: Log
  /** Where what takes time is recorded, if the server is told to. */
  readonly tracer: Tracer
  /** Aborted when the server begins to stop: from then on no request waits for another process. */
  readonly stopping: AbortController
  now(): IsoDate
}

/**
 * Finds documents beside the database, from what it was told of them after their commit: it may be behind. What it finds is loaded from
 * the database, with the rights that hold now, and shown only if all of it is there and may be read.
 */
export interface SearchIndex {
  readonly name: string
  /** Undefined where it does not answer such queries, or not now: then the database is asked. It never fails. */
  findPage(session: Session, query: Query, scope: SearchScope, window: IndexWindow): Promise<IndexedPage | undefined>
  /** These were found and are no more. */
  noteGone(repository: Repository, ids: readonly DocumentId[]): void
}

/** Which of the found, and how far they are counted. */
export interface IndexWindow {
  readonly offset: number
  readonly limit?: number
  /** Counting may stop behind it. */
  readonly countLimit?: number
}

export interface IndexedPage {
  readonly ids: readonly DocumentId[]
  /** Of all pages; where counting stopped, more than the limit. */
  readonly total: number
}

/** Settings that change what documents may be and do. */
export interface ContentRules {
  /** Of the documents that are read at once to be shown. */
  readonly maxListedBytes: number
  /** So many bulk actions, and as many asynchronous calls, of one user may wait. */
  readonly maxWaitingJobs: number
  /** Longest path segment made from a name or title. */
  readonly maxSegmentLength: number
  /** Characters of a text that is shown as HTML, embedded images left out. */
  readonly maxHtmlLength: number
  /** Off: tokens are the modification time and nothing is checked. */
  readonly changeTokens: boolean
  /** Entries may deny any permission to any user. */
  readonly negativeEntries: boolean
  /** The local list of a document comes before its other lists. */
  readonly localAclFirst: boolean
  /** Rights may be given to names that no user or group has. */
  readonly unknownNames: boolean
  /** Groups whose members may do everything: they stay in where inheritance is blocked. */
  readonly administratorsGroups: readonly string[]
  /** Making a proxy to a live document takes Write on it, not only Read. */
  readonly restrictedProxies: boolean
  /** Not even administrators remove what is under retention or hold. */
  readonly strictRetention: boolean
  /** The group whose members may remove it otherwise. */
  readonly recordCleaners: string
  /** Orphaned versions removed in one transaction. */
  readonly orphanVersionsAtOnce: number
  readonly valueBounds: ValueBounds
}

/** Something that happens to a document. Before-events offer the document for change; after-events tell what was done. */
export interface DocumentEvent {
  readonly name: string
  readonly time: IsoDate
  readonly principal: Principal
  readonly repository: string
  /** The same for all that happens in one request. */
  readonly sessionId: string
  readonly document: Document
  /** The lifecycle state of the document; null where its type has no lifecycle. */
  readonly documentLifeCycle: string | null
  readonly category: string
  readonly comment: string | null
  /** What the event's kind adds: `destinationName`, `previousDocument`, `transition` … */
  readonly properties: { readonly [name: string]: unknown }
  /** How the change was asked for: `audit: false` keeps it out of the log, `dublincore: false` unstamped. */
  readonly options: SaveOptions
}

/** What was announced in a transaction, in order. */
export interface EventBundle {
  readonly announced: readonly DocumentEvent[]
  add(event: DocumentEvent): void
  /** Gives the function that forgets what is announced from now on. */
  mark(): () => void
}

/** What most servers never use need cost them nothing: a listener says by plain data when it is not to be asked at all. */
interface ListenerBounds {
  /** It is for documents that have this facet alone, be it from their type. */
  readonly facet?: string
  /** While it is closed, nothing is the business of the listener. */
  readonly gate?: ListenerGate
}

/** Opened and closed by whoever knows whether there is anything to do. */
export interface ListenerGate {
  readonly isOpen: boolean
}

/** Runs inside the transaction. For a before-event it may return the document changed; throwing stops the request. */
export interface InlineListener extends ListenerBounds {
  readonly name: string
  readonly when: 'inline'
  readonly events: readonly string[]
  /** Lower runs first; 0 when absent. */
  readonly order?: number
  /**
   * The properties that it is for: where a document is saved it is not called unless one of them changes. It is asked once for each
   * property of a kind of documents. Absent, every save is its business.
   */
  readonly changes?: (property: PropertyDefinition) => boolean
  /** Called as well where the facets of the document change. */
  readonly heedsFacets?: true
  // biome-ignore lint/suspicious/noConfusingVoidType: a listener that changes nothing returns nothing
  handle(event: DocumentEvent, session: WriteSession): Promise<Document | void> | Document | void
}

/** Runs once the transaction has committed, before the answer, best effort: a failure is logged, and a crash loses it. */
export interface AfterCommitListener {
  readonly name: string
  readonly when: 'afterCommit'
  readonly events: readonly string[]
  readonly order?: number
  handle(event: DocumentEvent, repository: Repository): Promise<void> | void
}

/**
 * Runs after the answer as a job, at least once and in transactions of its own. It is handed what it listens to of one request
 * at a time; the documents may have changed since, or be gone.
 */
export interface AsynchronousListener extends ListenerBounds {
  readonly name: string
  readonly when: 'asynchronous'
  readonly events: readonly string[]
  readonly order?: number
  /** Whether there is anything to do for it, as far as that can be told at once: where it says no, there is no job for the event. */
  concerns?(event: DocumentEvent, session: WriteSession): boolean
  handle(bundle: readonly ToldEvent[], repository: Repository): Promise<void> | void
}

/** What is left of an event when it is told later: whatever can be written down, and of documents their ids. */
export type ToldEvent = {
  readonly name: string
  readonly time: IsoDate
  /** The name of who did it, also where the server acted for them. */
  readonly principal: string
  /** The server did it, by itself or for them, and was not held to their rights. */
  readonly isByServer: boolean
  readonly repository: string
  readonly sessionId: string
  readonly documentId: string
  readonly documentLifeCycle: string | null
  readonly category: string
  readonly comment: string | null
  readonly properties: { readonly [name: string]: Json }
}

/**
 * Takes part in what happens to documents.
 * @example
 * const numberInvoices: Listener = {
 *   name: 'numberInvoices', when: 'inline', events: ['aboutToCreate'],
 *   handle: ({ document }) => document.type === 'Invoice'
 *     ? { ...document, properties: { ...document.properties, 'inv:number': '2031-001' } } : undefined,
 * }
 */
export type Listener = InlineListener | AfterCommitListener | AsynchronousListener

/** Something that happens on the server and to no document: a user is created, a group deleted. */
export interface ServerEvent {
  readonly name: string
  readonly time: IsoDate
  readonly principal: Principal
  readonly category: string
  readonly comment: string | null
  readonly properties: { readonly [name: string]: unknown }
}

/**
 * Hears of what happens on the server, inside the transaction in which it happens: one that throws rolls it back.
 * @example
 * const greet: ServerListener = {
 *   name: 'greet', events: ['user_created'],
 *   handle: ({ properties }, session) => session.tx.jobs.add('sendGreeting', { user: String(properties['id']) }),
 * }
 */
export interface ServerListener {
  readonly name: string
  readonly events: readonly string[]
  handle(event: ServerEvent, session: WriteSession): Promise<void> | void
}

/**
 * Sees where the files of documents come, go and are put, whichever verb, job or plugin writes it, also where no event tells of it. It is for
 * what has to be right whatever happens, such as a sum over all documents of a folder; for anything else there are listeners.
 */
export interface FileWatcher {
  readonly name: string
  /** Called once in each transaction that it is told of; what it gives knows of that one alone. */
  watch(session: WriteSession): FileWatch
}

/** A transaction as a watcher sees it. Whatever throws fails the write, and with it what asked for it. */
export interface FileWatch {
  /**
   * Documents with files are being stored. `isStored` says whether they were (false: the name is taken, and nothing was written): what is asked of the
   * database until then is asked with it, right behind the statement that stores them.
   */
  added(documents: readonly Document[], isStored: Promise<boolean>): Promise<void>
  /** The same of a change of files, or of the trash flag of a document with files. */
  changed(before: Document, after: Document, isStored: Promise<boolean>): Promise<void>
  /** It is where it was to be, with all that is below it. */
  moved(document: Document, to: Place): Promise<void>
  /** All below the path that is no proxy has the flag; these had it not before. */
  trashedBelow(path: string, ids: readonly DocumentId[], isTrashed: boolean): Promise<void>
  /** It is about to go, with all that is below it. Versions that are left without a live document go unseen, later. */
  removing(document: Document): Promise<void>
  /** A part of the transaction may fail by itself from here on; gives what takes the watch back to how it was. */
  mark(): () => void
  /**
   * Last of all before the commit, which fails where this does: here rows may be locked that others want, too, for a moment. Also when
   * somebody reads in the transaction what is written here.
   */
  settle(): Promise<void>
}

export interface ListenerTable {
  inline(event: string): readonly InlineListener[]
  afterCommit(event: string): readonly AfterCommitListener[]
  asynchronous(event: string): readonly AsynchronousListener[]
  /** A listener of jobs by its name: it may be gone by the time the job runs. */
  findAsynchronous(name: string): AsynchronousListener | undefined
}

/**
 * The interned lists that were looked at. A list never changes, so what is here is never stale; which of them a
 * principal can browse only has to be told of the lists that appeared since, and of time-limited entries that turned.
 */
export interface AcpCache {
  /** At once when they are at hand, as they nearly always are. */
  entriesOf(session: Session, acpId: number): readonly Ace[] | Promise<readonly Ace[]>
  /** Ids of all lists that grant the session's principal the permission; undefined when it needs no filter. */
  readableBy(session: Session, permission: string): Promise<readonly number[] | undefined>
}

/** Decides before the ACLs do, or leaves it to the next policy and at last to them. */
export interface SecurityPolicy {
  readonly name: string
  /** Lower is asked first. */
  readonly order: number
  /** It never decides about `Read`: who checks that for many documents need not have them at hand to ask it. */
  readonly leavesReading?: true
  /** `granting` are the permissions whose grant implies the one asked for: itself, its compounds, Everything. */
  decide(session: Session, document: Document, permission: string, granting: ReadonlySet<string>): PolicyDecision
  /** What readers of a document are told whom it has refused; without, which permission they lack. */
  readonly refusal?: () => Error
}

/**
 * `instead` names another permission: who has that one on the document has the one asked for, and nobody else. It must not lead back
 * to that one.
 */
export type PolicyDecision = 'grant' | 'deny' | { readonly instead: string } | undefined

/** What a property refers to, found. */
export type Reference =
  | { readonly kind: 'document'; readonly document: Document }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'directoryEntry'; readonly directory: string; readonly entry: DirectoryEntry }

/** Looks up what properties refer to: to validate them, and to show them when a client asks to fetch. */
export interface References {
  find(session: Session, resolver: Resolver, value: string): Promise<Reference | undefined>
}
