import type { DocumentWriter } from '../../store/documents.ts'
import type { Transaction } from '../../store/store.ts'
import type { DocumentWatch, WriteSession } from '../session.ts'

/** The same transaction, in which the watchers of the repository see what is written to documents. */
export function watchDocuments(tx: Transaction, session: () => WriteSession): WatchedTransaction {
  return new WatchedTransaction(tx, session)
}

/** Watchers are asked for when documents are first touched: many transactions never do. */
export class WatchedTransaction implements Transaction {
  readonly tables: Transaction['tables']
  readonly #tx: Transaction
  readonly #session: () => WriteSession
  #documents: DocumentWriter | undefined
  #watches: readonly DocumentWatch[] | undefined
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

  async end(): Promise<void> {
    for (const watch of this.#watches ?? []) await watch.ending()
  }

  #openWatches(): readonly DocumentWatch[] {
    if (this.#watches === undefined) {
      const session = this.#session()
      this.#watches = session.repository.documentWatchers.map((watcher) => watcher.watch(session))
      this.#forgetAll = this.#watches.map((watch) => watch.mark())
    }
    return this.#watches
  }
}

type Watched = 'insert' | 'insertMany' | 'update' | 'move' | 'setTrashedBelow' | 'removeSubtree' | 'remove'

function watchedWriter(documents: DocumentWriter, watches: () => readonly DocumentWatch[]): DocumentWriter {
  /** What a watcher throws is thrown once the write has ended: a statement of it may be under way until then. */
  async function beside<Result>(
    written: Promise<Result>,
    isStored: (result: Result) => boolean,
    tell: (watch: DocumentWatch, stored: Promise<boolean>) => Promise<void>,
  ): Promise<Result> {
    const stored = written.then(isStored)
    const told = await Promise.allSettled([stored, ...watches().map((watch) => tell(watch, stored))])
    const failed = told.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return written
  }
  const changing: Pick<DocumentWriter, Watched> = {
    insert: (document) =>
      beside(
        documents.insert(document),
        (isStored) => isStored,
        (watch, stored) => watch.added([document], stored),
      ),
    insertMany: (many) =>
      beside(
        documents.insertMany(many),
        () => true,
        (watch, stored) => watch.added(many, stored),
      ),
    update: (before, after) =>
      beside(
        documents.update(before, after),
        (proxyIds) => proxyIds !== undefined,
        (watch, stored) => watch.changed(before, after, stored),
      ),
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
