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
  findImportState,
  forgetImportState,
  type ImportState,
  importKey,
  newImportState,
  requireState,
  saveImportState,
} from './import-state.ts'
import { readTarget, requireEmpty } from './import-target.ts'
import { stageFiles } from './stage-files.ts'

export interface ArchiveImport {
  readonly archive: ReadableArchive
  readonly repository: Repository
  /** Path of the folder that a tree goes to; `/` for a whole repository. */
  readonly to: string
  readonly dryRun: boolean
  readonly withoutPeople: boolean
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
 * @throws archiveDamaged, typesUnknown, noSuchTarget, targetNotEmpty, wholeNeedsRoot, placeGone, placeTaken
 */
export async function importArchive(wanted: ArchiveImport): Promise<ArchiveTally> {
  const { archive, repository, dryRun, checkStop } = wanted
  const isWhole = archive.manifest.root.path === '/'
  const target = await readTarget(repository, wanted.to, isWhole)
  const key = importKey(archive.manifestText, repository.name, wanted.to)
  const found = await findBegun(wanted, key)
  const before = found ?? newImportState()
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
    await systemAccess(repository).write(({ tx }) => saveImportState(tx, key, before))
    const people = withPeople ? await importPeople(archive, repository, checkStop) : undefined
    const begin = (session: WriteSession) => (isWhole ? makeEmpty(session) : Promise.resolve())
    const run = { ...wanted, target: isWhole ? undefined : target, ids, files, key, begin }
    const placed = await importDocuments(run, before)
    const state = await importHistory(run, placed)
    await systemAccess(repository).write(({ tx }) => forgetImportState(tx, key))
    return tally(state, people)
  } finally {
    await files.close()
  }
}

/** What every server starts with makes way for what the archive has in its stead, and so does what was written down about it. */
async function makeEmpty(session: WriteSession): Promise<void> {
  const root = await session.tx.documents.findByPath('/')
  if (root !== undefined) await session.tx.documents.removeSubtree(root)
  await forgetEntries(session.tx.tables)
}

/** How far an earlier run has come. Where the tree that it brought was removed since, it has not begun. */
async function findBegun({ archive, repository, to }: ArchiveImport, key: string): Promise<ImportState | undefined> {
  const found = await findImportState(repository.store, key)
  const { root } = archive.manifest
  if (found === undefined || found.documents === 0 || root.path === '/') return found
  const brought = await repository.store.reader.documents.findAll([root.uid, createIdMap(found.nonce).fresh(root.uid)])
  return brought.some(({ path }) => path?.startsWith(to === '/' ? to : `${to}/`)) ? found : undefined
}

type HistoryImport = Pick<DocumentsImport, 'archive' | 'repository' | 'ids' | 'key' | 'checkStop'>

const rowsAtOnce = 1_000

/** Brings the rows of the log that an earlier run has not, and gives how far that is. */
async function importHistory(run: HistoryImport, before: ImportState): Promise<ImportState> {
  const { archive, repository, ids, key, checkStop } = run
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
      await requireState(tx, key, from)
      await bringEntries(tx.tables, own)
      await saveImportState(tx, key, next)
    })
    state = next
  }
  return state
}

function inRepository(entry: CarriedEntry, from: string, to: string): CarriedEntry {
  return entry.repositoryId === from ? { ...entry, repositoryId: to } : entry
}
