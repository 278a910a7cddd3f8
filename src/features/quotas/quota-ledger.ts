import { findReadable } from '../../core/documents/read-document.ts'
import type { FileWatch, FileWatcher, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Place } from '../../store/documents.ts'
import { countSizes, everyFile } from './count-sizes.ts'
import { quotaExceeded } from './problems.ts'
import {
  addSizes,
  deleteFolder,
  findPath,
  hasAnyFolder,
  listFoldersAt,
  listFoldersBelow,
  type QuotaFolder,
} from './quota-folders.ts'
import {
  difference,
  isAtOrBelow,
  isNothing,
  negative,
  nothingStored,
  pathsDownTo,
  plus,
  type Sizes,
  sizesOf,
  sizesOfBytes,
} from './sizes.ts'

/** Keeps what folders with a quota hold in step with every write, and refuses what does not fit. */
export const quotaWatcher: FileWatcher = { name: 'quotas', watch: (session) => new QuotaLedger(session) }

/**
 * What one transaction adds to and takes from the folders that have a quota.
 *
 * Which folders these are is asked of the database right behind the statement that writes the document. By then the transaction has the
 * locks of that write: a quota that is new was committed before, and is seen, or waits for these locks until this transaction has ended,
 * and then counts what it has written (set-quota.ts). The rows of folders are written at the end, in the order of their ids, so that
 * uploads into one folder wait for each other's commits alone. What plainly does not fit is refused at once: a part of a
 * transaction that may fail by itself then does; where several come at the same moment, the end decides.
 */
class QuotaLedger implements FileWatch {
  readonly #session: WriteSession
  #changes = new Map<DocumentId, Sizes>()

  constructor(session: WriteSession) {
    this.#session = session
  }

  async added(documents: readonly Document[], isStored: Promise<boolean>): Promise<void> {
    const counted = documents.map((document) => ({ document, sizes: sizesOf(document) })).filter(({ sizes }) => !isNothing(sizes))
    if (counted.length === 0) return
    // Many are stored by several statements, of which a later one may bring what a version is of.
    if (documents.length > 1 && !(await isStored)) return
    // What is new has no quota of its own.
    const placed = await this.#placed(counted, pathsAbove)
    if (placed.folders.length === 0 || !(await isStored)) return
    for (const { path, sizes } of placed.changes) await this.#book(placed.folders, path, sizes)
  }

  async changed(before: Document, after: Document, isStored: Promise<boolean>): Promise<void> {
    const sizes = difference(before, after)
    if (isNothing(sizes)) return
    const { folders, changes } = await this.#placed([{ document: after, sizes }])
    if (folders.length === 0 || !(await isStored)) return
    for (const change of changes) await this.#book(folders, change.path, change.sizes)
  }

  async moved({ path, isProxy }: Document, to: Place): Promise<void> {
    if (isProxy) return
    const [from, into] = [new Set(path === null ? [] : pathsAbove(path)), new Set(pathsAbove(to.path))]
    const crossed = [...from.symmetricDifference(into)]
    const { tables } = this.#session.tx
    const folders = (await hasAnyFolder(tables)) ? await listFoldersAt(tables, crossed) : []
    if (folders.length === 0) return
    const sizes = await countSizes(this.#session, to.path)
    for (const folder of folders) await this.#add(folder, from.has(folder.path) ? negative(sizes) : sizes)
  }

  async trashedBelow(path: string, ids: readonly DocumentId[], isTrashed: boolean): Promise<void> {
    const { tables } = this.#session.tx
    if (!(await hasAnyFolder(tables))) return
    const folders = [...(await listFoldersAt(tables, pathsDownTo(path))), ...(await listFoldersBelow(tables, path))]
    if (folders.length === 0) return
    const marked = new Set(ids)
    for await (const file of everyFile(this.#session, path)) {
      const { trash } = sizesOfBytes(file.bytes, { isVersion: false, isTrashed: true })
      if (marked.has(file.documentId))
        await this.#book(folders, file.path, { ...nothingStored, trash: isTrashed ? trash : -trash })
    }
  }

  async removing(document: Document): Promise<void> {
    if (document.isVersion) return this.#removingVersion(document)
    const { path } = document
    const { tables, documents } = this.#session.tx
    if (path === null || !(await hasAnyFolder(tables))) return
    await documents.lockSubtree(path)
    const above = await listFoldersAt(tables, pathsAbove(path))
    if (above.length > 0) {
      const sizes = negative(await countSizes(this.#session, path))
      for (const folder of above) await this.#add(folder, sizes)
    }
    const gone = [...(await listFoldersAt(tables, [path])), ...(await listFoldersBelow(tables, path))]
    for (const { id } of gone) {
      this.#changes.delete(id)
      await deleteFolder(tables, id)
    }
  }

  mark(): () => void {
    const before = new Map(this.#changes)
    // It may be gone back to more than once.
    return () => {
      this.#changes = new Map(before)
    }
  }

  async settle(): Promise<void> {
    if (this.#changes.size === 0) return
    const changes = [...this.#changes].sort(([left], [right]) => (left < right ? -1 : 1))
    this.#changes = new Map()
    for (const [id, change] of changes) {
      const now = isNothing(change) ? undefined : await addSizes(this.#session.tx.tables, id, change)
      // Whoever takes something away is let to, however much is too much.
      if (now === undefined || change.total <= 0 || fits(now.max, now.sizes.total)) continue
      throw await this.#exceeded(id, now.max, now.sizes.total - change.total, change.total)
    }
  }

  async #removingVersion(version: Document): Promise<void> {
    const sizes = negative(sizesOf(version))
    if (isNothing(sizes)) return
    const { folders, changes } = await this.#placed([{ document: version, sizes }])
    for (const change of changes) await this.#book(folders, change.path, change.sizes)
  }

  /** Where documents count, and the folders there that have a quota. A version counts where its live document is. */
  async #placed(
    counted: readonly { document: Document; sizes: Sizes }[],
    pathsOfLive = pathsDownTo,
  ): Promise<{
    readonly folders: readonly QuotaFolder[]
    readonly changes: readonly { path: string; sizes: Sizes }[]
  }> {
    const { tables } = this.#session.tx
    const changes: { path: string; sizes: Sizes }[] = []
    if (!(await hasAnyFolder(tables))) return { folders: [], changes }
    const paths = new Set<string>()
    for (const { document, sizes } of counted) {
      const { isVersion, seriesId } = document
      const path = isVersion ? seriesId && (await findPath(tables, seriesId)) : document.path
      if (!path) continue
      changes.push({ path, sizes })
      for (const at of isVersion ? pathsDownTo(path) : pathsOfLive(path)) paths.add(at)
    }
    return { changes, folders: await listFoldersAt(tables, [...paths]) }
  }

  async #book(folders: readonly QuotaFolder[], path: string, sizes: Sizes): Promise<void> {
    for (const folder of folders) if (isAtOrBelow(path, folder.path)) await this.#add(folder, sizes)
  }

  async #add({ id, max, sizes: { total } }: QuotaFolder, sizes: Sizes): Promise<void> {
    const before = this.#changes.get(id) ?? nothingStored
    const after = plus(before, sizes)
    if (sizes.total > 0 && !fits(max, total + after.total)) throw await this.#exceeded(id, max, total + before.total, sizes.total)
    this.#changes.set(id, after)
  }

  async #exceeded(id: DocumentId, max: number, used: number, asked: number) {
    const path = (await findReadable(this.#session, id))?.path ?? undefined
    return quotaExceeded({ path, max, room: Math.max(0, max - used), asked })
  }
}

function fits(max: number, total: number): boolean {
  return max === 0 || total <= max
}

function pathsAbove(path: string): readonly string[] {
  return pathsDownTo(path).slice(0, -1)
}
