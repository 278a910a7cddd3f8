import { systemAccess } from '../../../core/access.ts'
import type { Repository, WriteSession } from '../../../core/session.ts'
import { bringEntries, type CarriedEntry, forgetEntries } from '../../audit/index.ts'
import { archiveDamaged } from '../format/archive-problems.ts'
import { readHistory } from '../format/history-line.ts'
import type { ReadableArchive } from '../source/archive-source.ts'
import { checkArchive, linesOf } from './check-archive.ts'
import { createIdMap } from './id-map.ts'
import { type DocumentsImport, importDocuments } from './import-documents.ts'
import { importPeople, type PeopleTally } from './import-people.ts'
import {
  advanceRun,
  beginRun,
  endRun,
  findImportState,
  type ImportState,
  importIdentity,
  newImportState,
  requireTurn,
} from './import-state.ts'
import { readTarget, requireEmpty } from './import-target.ts'
import type { Administrators } from './required-administrator.ts'
import { stageFiles } from './stage-files.ts'

export interface ArchiveImport {
  readonly archive: ReadableArchive
  readonly repository: Repository
  /** Path of the folder that a tree goes to; `/` for a whole repository. */
  readonly to: string
  readonly dryRun: boolean
  readonly withoutPeople: boolean
  /** Who they are here. */
  readonly administrators: Administrators
  onChecked?(lines: number): void
  onDocuments?(count: number): void
  /** @throws */
  checkStop?(): void
}

export interface ArchiveTally {
  /** An earlier run had begun with it. */
  readonly isContinued: boolean
  /** Lines of documents. */
  readonly documents: number
  readonly imported: number
  readonly leftOut: number
  /** Documents whose ids were taken. */
  readonly renumbered: number
  readonly files: number
  readonly bytes: number
  readonly history: number
  readonly people: PeopleTally | undefined
}

/**
 * Brings an archive into a repository: what it is checked for comes before anything is written, documents come some in a transaction, and
 * a run that was killed is gone on with by the next one of the same archive to the same place.
 * @throws archiveDamaged, typesUnknown, administratorMissing, noArchiveTarget, wholeNeedsRoot, repositoryNotEmpty, peopleThere,
 *   otherImportBegun, importUnderWay, placeGone, placeTaken
 */
export async function importArchive(wanted: ArchiveImport): Promise<ArchiveTally> {
  const { archive, repository, dryRun, checkStop } = wanted
  const isWhole = archive.manifest.root.path === '/'
  const target = await readTarget(repository, wanted.to, isWhole)
  const identity = importIdentity(archive.manifestText, { path: wanted.to, isWhole })
  const noted = await findImportState(repository.store, identity)
  const found = noted && (await isStillThere(wanted, noted)) ? noted : undefined
  const before = found ?? newImportState(identity)
  const hasPeople = archive.manifest.parts.people !== undefined
  if (hasPeople && !isWhole) throw archiveDamaged({ place: 'manifest.json', reason: 'a tree has no people' })
  const withPeople = hasPeople && !wanted.withoutPeople
  if (isWhole && found === undefined) await requireEmpty(repository, withPeople)
  const ids = createIdMap(before.nonce)
  await checkArchive({
    archive,
    repository,
    ids,
    done: before.documents,
    administrators: withPeople ? wanted.administrators : undefined,
    ...(wanted.onChecked && { onLines: wanted.onChecked }),
    ...(checkStop && { checkStop }),
  })
  const files = stageFiles(archive, repository.blobs)
  const tally = (state: ImportState, people?: PeopleTally): ArchiveTally => ({
    isContinued: found !== undefined,
    documents: archive.manifest.parts.documents?.lines ?? 0,
    imported: state.imported,
    leftOut: state.leftOut,
    renumbered: ids.size,
    ...files.tally,
    history: state.audit,
    people,
  })
  if (dryRun) return tally(before)
  try {
    // First of all: what a run that is killed has brought is known to be its own.
    const run = await systemAccess(repository).write(({ tx }) => beginRun(tx, identity.key, noted, before))
    const checkTurn = async () => {
      checkStop?.()
      await requireTurn(repository.store, run)
    }
    const people = withPeople ? await importPeople(archive, repository, checkTurn) : undefined
    const begin = (session: WriteSession) => (isWhole ? makeEmpty(session) : Promise.resolve())
    const wish = { ...wanted, target: isWhole ? undefined : target, ids, files, run, begin }
    const placed = await importDocuments(wish, before)
    const state = await importHistory(wish, placed)
    await systemAccess(repository).write(({ tx }) => endRun(tx, run, state))
    return tally(state, people)
  } finally {
    await files.close()
  }
}

/**
 * What every server starts with makes way for what the archive has in its stead, and so does what was written down about it. Nothing else
 * does: somebody may have come since the first look. @throws repositoryNotEmpty
 */
async function makeEmpty(session: WriteSession): Promise<void> {
  await requireEmpty(session.repository, false)
  const root = await session.tx.documents.findByPath('/')
  if (root !== undefined) await session.tx.documents.removeSubtree(root)
  await forgetEntries(session.tx.tables)
}

/** Whether an earlier run can be gone on with: where the tree that it brought was removed since, it cannot. */
async function isStillThere({ archive, repository, to }: ArchiveImport, { documents, nonce }: ImportState): Promise<boolean> {
  const { root } = archive.manifest
  if (documents === 0 || root.path === '/') return true
  const brought = await repository.store.reader.documents.findAll([root.uid, createIdMap(nonce).fresh(root.uid)])
  return brought.some(({ path }) => path?.startsWith(to === '/' ? to : `${to}/`))
}

type HistoryImport = Pick<DocumentsImport, 'archive' | 'repository' | 'ids' | 'run' | 'checkStop'>

const rowsAtOnce = 1_000

/** Brings the rows of the log that an earlier run has not, and gives how far that is. */
async function importHistory(wish: HistoryImport, before: ImportState): Promise<ImportState> {
  const { archive, repository, ids, run, checkStop } = wish
  let state = before
  for await (const page of linesOf(archive, 'audit', rowsAtOnce)) {
    checkStop?.()
    const lines = page.filter(({ index }) => index >= before.audit)
    if (lines.length === 0) continue
    const entries = lines.map(({ text, place }) => readHistory(ids.rewrite(text), place))
    const own = entries.map((entry) => inRepository(entry, archive.manifest.repository, repository.name))
    const next: ImportState = { ...state, audit: state.audit + lines.length }
    const from = state
    await systemAccess(repository).write(async ({ tx }) => {
      const save = await advanceRun(tx, run, from)
      await bringEntries(tx.tables, own)
      await save(next)
    })
    state = next
  }
  return state
}

function inRepository(entry: CarriedEntry, from: string, to: string): CarriedEntry {
  return entry.repositoryId === from ? { ...entry, repositoryId: to } : entry
}
