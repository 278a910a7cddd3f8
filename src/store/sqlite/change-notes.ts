import type { DocumentId } from '../../model/document.ts'
import type { AcpReader, AcpWriter } from '../acps.ts'
import type { DirectoryReader, DirectoryWriter } from '../directories.ts'
import type { DocumentReader, DocumentWriter } from '../documents.ts'
import type { Transaction } from '../store.ts'

/** What was written that a reader may have cached before. */
export interface CommittedChanges {
  readonly documents: 'any' | ReadonlySet<DocumentId>
  readonly directories: boolean
}

export interface ChangeNotes {
  /** The transaction, with its writes noted. */
  watch(tx: Transaction): Transaction
  /** What was noted since the last time, also of transactions that rolled back. */
  take(): CommittedChanges
}

/** These change no document that there was. */
type Additions = 'findForUpdate' | 'findForShare' | 'lockSubtree' | 'insert' | 'insertMany'

/** Notes what the transactions of this process change, so that only that has to be read again. */
export function createChangeNotes(): ChangeNotes {
  let ids = new Set<DocumentId>()
  let isAnyDocument = false
  let isDirectories = false

  const noteOne = (id: DocumentId) => {
    ids.add(id)
  }
  const noteAny = () => {
    isAnyDocument = true
  }

  function watchDocuments(documents: DocumentWriter): DocumentWriter {
    const changing: Omit<DocumentWriter, keyof DocumentReader | Additions> = {
      update(before, after) {
        noteOne(before.id)
        return documents.update(before, after)
      },
      setPositions(ids) {
        ids.forEach(noteOne)
        return documents.setPositions(ids)
      },
      move(document, to) {
        noteAny()
        return documents.move(document, to)
      },
      setTrashedBelow(path, isTrashed) {
        noteAny()
        return documents.setTrashedBelow(path, isTrashed)
      },
      remove(id) {
        noteOne(id)
        return documents.remove(id)
      },
      removeSubtree(document) {
        noteAny()
        return documents.removeSubtree(document)
      },
      removeOrphanVersions(seriesIds, limit) {
        noteAny()
        return documents.removeOrphanVersions(seriesIds, limit)
      },
      refreshLatestFlags(seriesId) {
        noteAny()
        return documents.refreshLatestFlags(seriesId)
      },
    }
    return { ...documents, ...changing }
  }

  function watchAcps(acps: AcpWriter): AcpWriter {
    const changing: Omit<AcpWriter, keyof AcpReader | 'intern'> = {
      replaceAcls(document, acls) {
        noteAny()
        return acps.replaceAcls(document, acls)
      },
      clearVersions(seriesIds) {
        noteAny()
        return acps.clearVersions(seriesIds)
      },
    }
    return { ...acps, ...changing }
  }

  function watchDirectories(directories: DirectoryWriter): DirectoryWriter {
    const noted =
      <Arguments extends unknown[], Result>(write: (...given: Arguments) => Result) =>
      (...given: Arguments) => {
        isDirectories = true
        return write(...given)
      }
    const changing: Omit<DirectoryWriter, keyof DirectoryReader> = {
      lock: noted(directories.lock),
      insert: noted(directories.insert),
      insertAll: noted(directories.insertAll),
      update: noted(directories.update),
      remove: noted(directories.remove),
      removeAll: noted(directories.removeAll),
      indexTerms: noted(directories.indexTerms),
      nextId: noted(directories.nextId),
      replaceTargets: noted(directories.replaceTargets),
      addTarget: noted(directories.addTarget),
      removeTarget: noted(directories.removeTarget),
      removeSources: noted(directories.removeSources),
    }
    return { ...directories, ...changing }
  }

  /** Ports are made when they are first used, and watched from then on. */
  function watchPorts(tx: Transaction): Transaction {
    let documents: DocumentWriter | undefined
    let acps: AcpWriter | undefined
    let directories: DirectoryWriter | undefined
    return {
      get documents() {
        documents ??= watchDocuments(tx.documents)
        return documents
      },
      get acps() {
        acps ??= watchAcps(tx.acps)
        return acps
      },
      get directories() {
        directories ??= watchDirectories(tx.directories)
        return directories
      },
      get jobs() {
        return tx.jobs
      },
      get transient() {
        return tx.transient
      },
      get search() {
        return tx.search
      },
      get fileTexts() {
        return tx.fileTexts
      },
      get blobKeys() {
        return tx.blobKeys
      },
      tables: tx.tables,
      attempt: tx.attempt,
      afterCommit: tx.afterCommit,
    }
  }

  return {
    watch: watchPorts,
    take() {
      const taken: CommittedChanges = { documents: isAnyDocument ? 'any' : ids, directories: isDirectories }
      if (ids.size > 0) ids = new Set()
      isAnyDocument = false
      isDirectories = false
      return taken
    },
  }
}
