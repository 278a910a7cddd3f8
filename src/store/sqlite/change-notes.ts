import sql from 'sql-template-tag'
import type { Document, DocumentId } from '../../model/document.ts'
import type { AcpReader, AcpWriter } from '../acps.ts'
import type { DirectoryReader, DirectoryWriter } from '../directories.ts'
import type { DocumentReader, DocumentWriter } from '../documents.ts'
import type { SqlRow } from '../sql/connection.ts'
import type { Transaction } from '../store.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** What was written that a reader may have cached before. */
export interface CommittedChanges {
  readonly documents: 'any' | ReadonlySet<DocumentId>
  readonly directories: boolean
}

/** How a transaction finds documents that it has not changed. */
export type LookUps = Pick<DocumentWriter, 'find' | 'findByPath' | 'findForShare' | 'findForUpdate'>

export interface ChangeNotes {
  /** Notes what the transaction writes; it looks documents up as is given for what it looks them up in. */
  watch(tx: Pick<Transaction, 'watch'>, lookingUp?: (documents: DocumentWriter) => LookUps): void
  /** Whether the document may be another one for the transactions since the last time than for everybody else. */
  isNoted(id: DocumentId): boolean
  /** What was noted since the last time, also of transactions that rolled back. */
  take(): CommittedChanges
}

/** These change no document that there was. */
type Additions = 'findForUpdate' | 'findForShare' | 'lockSubtree' | 'lockOrphanVersions' | 'insert' | 'insertMany'

// Where more documents change at once than these, any may have: looking for their ids would take longer than it spares.
const fewDocuments = 50

/** Notes what the transactions of this process change, so that only that has to be read again. */
export function createChangeNotes(): ChangeNotes {
  let ids = new Set<DocumentId>()
  // Those are in no cache yet and need not be told of, but until the commit they are there for nobody else.
  let added = new Set<DocumentId>()
  let isAnyDocument = false
  let isDirectories = false

  const noteOne = (id: DocumentId) => {
    ids.add(id)
  }
  const noteAny = () => {
    isAnyDocument = true
  }

  /** The versions of these documents, and their proxies. */
  async function noteSeries(documents: DocumentReader, seriesIds: readonly DocumentId[]): Promise<void> {
    const found = await documents.listIdsOfSeries(seriesIds, 0, fewDocuments + 1)
    if (found.length > fewDocuments) return noteAny()
    for (const { id } of found) noteOne(id)
  }

  /** Before it is changed as a whole: the document, what is below it, and the versions of all these. */
  async function noteSubtree(documents: DocumentReader, { id, path }: Document): Promise<void> {
    const below = path === null ? [] : await documents.listBelow(path, undefined, fewDocuments + 1)
    if (below.length > fewDocuments) return noteAny()
    const subtree = [id, ...below.map((document) => document.id)]
    subtree.forEach(noteOne)
    await noteSeries(documents, subtree)
  }

  function watchDocuments(documents: DocumentWriter, lookingUp?: (documents: DocumentWriter) => LookUps): DocumentWriter {
    const changing: Omit<DocumentWriter, keyof DocumentReader | Additions> = {
      update(before, after) {
        noteOne(before.id)
        return documents.update(before, after)
      },
      setPositions(ids) {
        ids.forEach(noteOne)
        return documents.setPositions(ids)
      },
      async move(document, to) {
        await noteSubtree(documents, document)
        return documents.move(document, to)
      },
      async setTrashedBelow(path, isTrashed) {
        const changed = await documents.setTrashedBelow(path, isTrashed)
        changed.forEach(noteOne)
        return changed
      },
      remove(id) {
        noteOne(id)
        return documents.remove(id)
      },
      async removeSubtree(document) {
        await noteSubtree(documents, document)
        return documents.removeSubtree(document)
      },
      removeVersions(ids) {
        if (ids.length > fewDocuments) noteAny()
        else ids.forEach(noteOne)
        return documents.removeVersions(ids)
      },
      async refreshLatestFlags(seriesId) {
        const changed = await documents.refreshLatestFlags(seriesId)
        changed.forEach(noteOne)
        return changed
      },
    }
    const adding: Pick<DocumentWriter, 'insert' | 'insertMany'> = {
      insert(document) {
        added.add(document.id)
        return documents.insert(document)
      },
      insertMany(many) {
        for (const { id } of many) added.add(id)
        return documents.insertMany(many)
      },
    }
    return { ...documents, ...changing, ...adding, ...lookingUp?.(documents) }
  }

  function watchAcps(acps: AcpWriter, documents: DocumentReader): AcpWriter {
    const changing: Omit<AcpWriter, keyof AcpReader | 'intern'> = {
      async replaceAcls(document, acls) {
        await noteSubtree(documents, document)
        return acps.replaceAcls(document, acls)
      },
      async clearVersions(seriesIds) {
        await noteSeries(documents, seriesIds)
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
      noteIndexedFields: noted(directories.noteIndexedFields),
      indexTerms: noted(directories.indexTerms),
      nextId: noted(directories.nextId),
      countFrom: noted(directories.countFrom),
      replaceTargets: noted(directories.replaceTargets),
      addTarget: noted(directories.addTarget),
      removeTarget: noted(directories.removeTarget),
      removeSources: noted(directories.removeSources),
    }
    return { ...directories, ...changing }
  }

  return {
    watch(tx, lookingUp) {
      tx.watch({
        documents: (documents) => watchDocuments(documents, lookingUp),
        acps: watchAcps,
        directories: watchDirectories,
      })
    },
    isNoted: (id) => isAnyDocument || ids.has(id) || added.has(id),
    take() {
      const taken: CommittedChanges = { documents: isAnyDocument ? 'any' : ids, directories: isDirectories }
      if (ids.size > 0) ids = new Set()
      if (added.size > 0) added = new Set()
      isAnyDocument = false
      isDirectories = false
      return taken
    },
  }
}

/** What each commit changed, in the database itself: the one place of which all processes that share it know the same. */
export interface ChangeLog {
  /** To be called in the transaction that makes these changes, right before its commit. */
  append(changes: CommittedChanges): void
  /** A number that is another one once another process has committed; by then its changes have been told. */
  version(): number
  /** Has the next call of `version` ask again, in the same round of the event loop too. */
  renew(): void
}

export const anyChange: CommittedChanges = { documents: 'any', directories: true }

// Some seconds of a server that writes without a pause. Reading all of them takes about 1 ms.
const keptCommits = 1_000
// Where the oldest are is another page to write, so they are removed many at a time.
const trimEvery = 100
// More than a list of children; a transaction that changes more empties caches.
const maxIds = 500

/**
 * Asks the connection that writes, whose own commits do not count, at most once in a round of the event loop: requests that
 * a round brings were sent before, so what other processes commit during it none of their clients knows of yet. The question costs
 * 2 µs (measured), and only when the answer is another number are the rows of the log read.
 * @param onOthers told synchronously what other processes have changed since the last time
 */
export function createChangeLog(
  writing: Pick<SqliteConnection, 'allNow' | 'dataVersion'>,
  onOthers: (changes: CommittedChanges) => void,
): ChangeLog {
  const writer = newWriter()
  let current: number | undefined
  let known: number | undefined
  let lastSeen = 0

  function readOthers(): void {
    const rows = writing.allNow(since(lastSeen))
    current = Number(rows[0]?.[0])
    const changes = changesIn(rows, { lastSeen, writer })
    lastSeen = Number(rows.at(-1)?.[1] ?? 0)
    onOthers(changes)
  }

  const renew = () => {
    known = undefined
  }
  return {
    append: (changes) => appendTo(writing, writer, changes),
    version() {
      if (known !== undefined) return known
      if (writing.dataVersion() !== current) readOthers()
      known = current as number
      setImmediate(renew)
      return known
    },
    renew,
  }
}

/** For a transaction of which nobody took notes. */
export function appendAnyChange(writing: Pick<SqliteConnection, 'allNow'>): void {
  appendTo(writing, newWriter(), anyChange)
}

/** A number of its own for each that writes, so that it knows its rows from those of others. */
function newWriter(): number {
  return Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
}

function appendTo(writing: Pick<SqliteConnection, 'allNow'>, writer: number, { documents, directories }: CommittedChanges): void {
  const ids = documents === 'any' || documents.size > maxIds ? null : JSON.stringify([...documents])
  const [row] = writing.allNow(insertChange(writer, ids, directories))
  const seq = Number(row?.[0])
  if (seq % trimEvery === 0) writing.allNow(removeUpTo(seq - keptCommits))
}

/**
 * What others changed, of the rows that there are from the one that was seen last on. Anything, where that one is gone, for others may be
 * gone with it; and where nobody has added a row, for somebody has committed without saying what.
 */
function changesIn(rows: readonly SqlRow[], { lastSeen, writer }: { lastSeen: number; writer: number }): CommittedChanges {
  const others = rows.filter(([, seq, by]) => Number(seq) > lastSeen && by !== writer)
  if (rows[0]?.[1] !== lastSeen || others.length === 0) return anyChange
  const ids = new Set<string>()
  for (const [, , , documents] of others) {
    if (typeof documents !== 'string') return anyChange
    for (const id of JSON.parse(documents) as readonly string[]) ids.add(id)
  }
  return { documents: ids, directories: others.some(([, , , , directories]) => directories === 1) }
}

/** Served by the primary key, which counts on by itself. */
const insertChange = (writer: number, documents: string | null, directories: boolean) => sql`
  INSERT INTO committed_changes (writer, documents, directories)
  VALUES (${writer}, ${documents}, ${directories ? 1 : 0}) RETURNING seq`

const removeUpTo = (seq: number) => sql`DELETE FROM committed_changes WHERE seq <= ${seq}`

/**
 * The rows and the data version of one snapshot: of two statements the second may see one commit more, which would then be taken for one
 * without a row. Served by the primary key.
 */
const since = (seq: number) => sql`
  SELECT version.data_version, changed.seq, changed.writer, changed.documents, changed.directories
    FROM pragma_data_version AS version LEFT JOIN committed_changes AS changed ON changed.seq >= ${seq}
   ORDER BY changed.seq`
