import { newId } from '../base/ids.ts'
import { hasFiles, movesFiles } from '../model/properties/property.ts'
import { type Principal, systemPrincipal } from '../model/rights/principal.ts'
import type { DocumentWriter } from '../store/documents.ts'
import type { Transaction, TransactOptions } from '../store/store.ts'
import { announceSessionSaved, createEventBundle, enqueueListenerJobs, runAfterCommit } from './event.ts'
import type { FileWatch, Repository, Session, WriteSession } from './session.ts'

/**
 * The one way into a repository: a principal and a repository, from which sessions are opened. A request has one, as have the
 * call of an operation, a job and a command.
 * @example
 * const clearRemark: JobHandler = {
 *   kind: 'clearRemark',
 *   run: async (payload, repository) => {
 *     await systemAccess(repository).write((session) => saveDocument(session, String(payload), { 'dc:description': null }))
 *   },
 * }
 */
export interface Access {
  readonly principal: Principal
  readonly repository: Repository
  /** Looks at the repository as it is when each look is taken; inside a transaction with what that has written. */
  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result>
  /**
   * One transaction; inside a transaction that one. The body may run twice, so it keeps nothing from an earlier run, and waits for
   * nothing but the store.
   */
  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result>
  /**
   * A part that may fail by itself: all that it wrote and announced in the open transaction is undone, nothing else is, and what it
   * threw is thrown. Outside of a transaction each `write` is such a part already.
   */
  attempt<Result>(body: () => Promise<Result>): Promise<Result>
  /** The same principal where users, groups and vocabularies live: in `repository.home`. */
  readonly directories: Access
}

export function accessTo(repository: Repository, principal: Principal): Access {
  return new RepositoryAccess(repository, principal)
}

/** For what the server does by itself: nothing is refused. */
export function systemAccess(repository: Repository): Access {
  return accessTo(repository, systemPrincipal())
}

export function isWriting(session: Session): session is WriteSession {
  return 'tx' in session
}

/** From inside a session: what is written becomes part of its transaction, where it has one. */
export function accessIn(session: Session): Access {
  return isWriting(session) ? new TransactionAccess(session) : accessTo(session.repository, session.principal)
}

export class RepositoryAccess implements Access {
  readonly repository: Repository
  readonly principal: Principal

  constructor(repository: Repository, principal: Principal) {
    this.repository = repository
    this.principal = principal
  }

  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return body(openSession(this.repository, this.principal))
  }

  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result> {
    return transact(this.repository, this.principal, body, this.transactOptions())
  }

  attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    return body()
  }

  get directories(): Access {
    const { home } = this.repository
    return home === this.repository ? this : this.accessTo(home)
  }

  protected accessTo(repository: Repository): Access {
    return new RepositoryAccess(repository, this.principal)
  }

  protected transactOptions(): TransactOptions | undefined {
    return undefined
  }
}

class TransactionAccess implements Access {
  readonly #session: WriteSession

  constructor(session: WriteSession) {
    this.#session = session
  }

  get repository(): Repository {
    return this.#session.repository
  }

  get principal(): Principal {
    return this.#session.principal
  }

  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return body(this.#session)
  }

  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result> {
    return body(this.#session)
  }

  async attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    const { tx, events } = this.#session
    const forget = events.mark()
    try {
      return await tx.attempt(body)
    } catch (error) {
      forget()
      throw error
    }
  }

  get directories(): Access {
    const { repository, principal } = this.#session
    return repository.home === repository ? this : accessTo(repository.home, principal)
  }
}

/** The same session for another principal, in the same transaction. */
export function actingAs<S extends Session>(session: S, principal: Principal): S {
  const acting: S = { ...session, principal, asSystem: () => ({ ...acting, principal: systemPrincipal(principal) }) }
  return acting
}

export function openSession(repository: Repository, principal: Principal): Session {
  const { model, store } = repository
  const session: Session = {
    principal,
    repository,
    model,
    reader: store.reader,
    now: repository.now(),
    asSystem: () => ({ ...session, principal: systemPrincipal(principal) }),
  }
  return session
}

async function transact<Result>(
  repository: Repository,
  principal: Principal,
  body: (session: WriteSession) => Promise<Result>,
  options: TransactOptions | undefined,
): Promise<Result> {
  const { result, events } = await repository.store.transact(async (tx) => {
    const session = openWriteSession(repository, principal, tx)
    const done = await body(session)
    await announceSessionSaved(session)
    await enqueueListenerJobs(session)
    await session.settleFiles()
    return { result: done, events: session.events }
  }, options)
  await runAfterCommit(repository, events)
  return result
}

function openWriteSession(repository: Repository, principal: Principal, plain: Transaction): WriteSession {
  const watched = repository.fileWatchers.length === 0 ? undefined : new WatchedTransaction(plain, () => session)
  const tx = watched ?? plain
  const session: WriteSession = {
    id: newId(),
    principal,
    repository,
    model: repository.model,
    reader: tx,
    tx,
    events: createEventBundle(),
    now: repository.now(),
    settleFiles: () => watched?.settle() ?? Promise.resolve(),
    asSystem: () => ({ ...session, principal: systemPrincipal(principal) }),
  }
  return session
}

/** A transaction in which the watchers of the repository see what happens to files; most transactions touch none, and ask for no watcher. */
class WatchedTransaction implements Transaction {
  readonly tables: Transaction['tables']
  readonly #tx: Transaction
  readonly #session: () => WriteSession
  #documents: DocumentWriter | undefined
  #watches: readonly FileWatch[] | undefined
  /** Take the watches back to when they knew nothing. */
  #forgetAll: readonly (() => void)[] = []

  constructor(tx: Transaction, session: () => WriteSession) {
    this.#tx = tx
    this.tables = tx.tables
    this.#session = session
  }

  get documents(): Transaction['documents'] {
    this.#documents ??= watchedWriter(this.#tx.documents, () => this.#openWatches())
    return this.#documents
  }

  get acps(): Transaction['acps'] {
    return this.#tx.acps
  }

  get directories(): Transaction['directories'] {
    return this.#tx.directories
  }

  get jobs(): Transaction['jobs'] {
    return this.#tx.jobs
  }

  get transient(): Transaction['transient'] {
    return this.#tx.transient
  }

  get search(): Transaction['search'] {
    return this.#tx.search
  }

  get fileTexts(): Transaction['fileTexts'] {
    return this.#tx.fileTexts
  }

  get blobKeys(): Transaction['blobKeys'] {
    return this.#tx.blobKeys
  }

  listAwaitingTexts(): ReturnType<Transaction['listAwaitingTexts']> {
    return this.#tx.listAwaitingTexts()
  }

  afterCommit(action: () => void): void {
    this.#tx.afterCommit(action)
  }

  async attempt<Result>(body: () => Promise<Result>): Promise<Result> {
    const rewinds = this.#watches?.map((watch) => watch.mark())
    try {
      return await this.#tx.attempt(body)
    } catch (error) {
      // Those that came in this part knew nothing before it.
      for (const rewind of rewinds ?? this.#forgetAll) rewind()
      throw error
    }
  }

  async settle(): Promise<void> {
    for (const watch of this.#watches ?? []) await watch.settle()
  }

  #openWatches(): readonly FileWatch[] {
    if (this.#watches === undefined) {
      const session = this.#session()
      this.#watches = session.repository.fileWatchers.map((watcher) => watcher.watch(session))
      this.#forgetAll = this.#watches.map((watch) => watch.mark())
    }
    return this.#watches
  }
}

type Watched = 'insert' | 'insertMany' | 'update' | 'move' | 'setTrashedBelow' | 'removeSubtree' | 'remove'

function watchedWriter(documents: DocumentWriter, watches: () => readonly FileWatch[]): DocumentWriter {
  /** What a watcher throws is thrown once the write has ended: a statement of it may be under way until then. */
  async function beside<Result>(
    written: Promise<Result>,
    isStored: (result: Result) => boolean,
    tell: (watch: FileWatch, stored: Promise<boolean>) => Promise<void>,
  ): Promise<Result> {
    const stored = written.then(isStored)
    const told = await Promise.allSettled([stored, ...watches().map((watch) => tell(watch, stored))])
    const failed = told.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return written
  }
  const changing: Pick<DocumentWriter, Watched> = {
    insert(document) {
      const written = documents.insert(document)
      if (!hasFiles(document.properties)) return written
      return beside(
        written,
        (isStored) => isStored,
        (watch, stored) => watch.added([document], stored),
      )
    },
    insertMany(many) {
      const written = documents.insertMany(many)
      const withFiles = many.filter(({ properties }) => hasFiles(properties))
      if (withFiles.length === 0) return written
      return beside(
        written,
        () => true,
        (watch, stored) => watch.added(withFiles, stored),
      )
    },
    update(before, after) {
      const written = documents.update(before, after)
      const isTold =
        movesFiles(before.properties, after.properties) || (before.isTrashed !== after.isTrashed && hasFiles(after.properties))
      if (!isTold) return written
      return beside(
        written,
        (proxyIds) => proxyIds !== undefined,
        (watch, stored) => watch.changed(before, after, stored),
      )
    },
    async move(document, to) {
      const isMoved = await documents.move(document, to)
      if (isMoved) for (const watch of watches()) await watch.moved(document, to)
      return isMoved
    },
    async setTrashedBelow(path, isTrashed) {
      const ids = await documents.setTrashedBelow(path, isTrashed)
      if (ids.length > 0) for (const watch of watches()) await watch.trashedBelow(path, ids, isTrashed)
      return ids
    },
    async removeSubtree(document) {
      for (const watch of watches()) await watch.removing(document)
      return documents.removeSubtree(document)
    },
    async remove(id) {
      const document = await documents.find(id)
      if (document !== undefined) for (const watch of watches()) await watch.removing(document)
      return documents.remove(id)
    },
  }
  return { ...documents, ...changing }
}
