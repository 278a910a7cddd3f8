import { hasFiles, movesFiles } from '../model/properties/property.ts'
import type { DocumentWriter } from '../store/documents.ts'
import type { TransactionWatch } from '../store/store.ts'
import type { FileWatch, WriteSession } from './session.ts'

/** What the file watchers of a repository know of one transaction; most transactions touch no files, and ask for no watch. */
export class FileWatches implements TransactionWatch {
  readonly #session: () => WriteSession
  #watches: readonly FileWatch[] | undefined
  /** Take the watches back to when they knew nothing. */
  #forgetAll: readonly (() => void)[] = []

  constructor(session: () => WriteSession) {
    this.#session = session
  }

  documents(documents: DocumentWriter): DocumentWriter {
    return watchedWriter(documents, () => this.#open())
  }

  mark(): () => void {
    const rewinds = this.#watches?.map((watch) => watch.mark())
    return () => {
      // Those that came after the mark knew nothing before it.
      for (const rewind of rewinds ?? this.#forgetAll) rewind()
    }
  }

  async settle(): Promise<void> {
    for (const watch of this.#watches ?? []) await watch.settle()
  }

  #open(): readonly FileWatch[] {
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
