import { Problem, type ProblemKind } from '../../../base/problem.ts'
import { documentNotFound } from '../../../core/documents/read-document.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { importFile, importTitle, type PreparedImport } from '../import-file.ts'
import type { FolderImportRun } from './folder-import.ts'
import { mayContain } from './same-content.ts'
import { isInRefused, type Wanted, type WantedFile } from './sort-out.ts'
import type { SourceFolder } from './source-tree.ts'
import { type ImportOutcome, reasonOf } from './tally.ts'
import { createFolder, findFolder, listNamed } from './target-tree.ts'

export interface ReadyFile extends WantedFile {
  readonly prepared: PreparedImport
}

/** What can be written now, with everything read that takes time. */
export type Ready = Exclude<Wanted, WantedFile> | ReadyFile

/**
 * Writes a batch in one transaction. When the server refuses something of it, each is tried in one of its own, so that one does not keep
 * the others out.
 */
export async function carryOut(run: FolderImportRun, ready: readonly Ready[]): Promise<void> {
  const [first, ...others] = ready
  if (first === undefined) return
  try {
    const { outcomes, made } = await run.access.write((session) => write(session, run, ready))
    for (const [folder, document] of made) run.places.set(folder, document)
    for (const outcome of outcomes) run.counter.add(outcome)
  } catch (error) {
    if (!(await isRefusal(run, error))) throw error
    if (others.length === 0) return refuse(run, first, reasonOf(error))
    for (const one of ready) if (!isInRefused(run, one)) await carryOut(run, [one])
  }
}

function refuse({ places, counter }: FolderImportRun, one: Ready, reason: string): void {
  if (one.kind === 'folder') places.refuse(one.folder)
  counter.add({ kind: 'failed', path: one.kind === 'file' ? one.file.shown : one.folder.shown, reason })
}

const aboutTheServer: readonly ProblemKind[] = ['unavailable', 'noSpace']

/** Whether it is the document that was refused, by a rule or by a listener. Where the server itself cannot go on, nor can the import. */
async function isRefusal({ access: { repository } }: FolderImportRun, error: unknown): Promise<boolean> {
  return error instanceof Problem ? !aboutTheServer.includes(error.kind) : repository.store.isAlive()
}

interface Written {
  readonly outcomes: readonly ImportOutcome[]
  readonly made: ReadonlyMap<SourceFolder, Document>
}

/** What is known within one transaction, which may run again from its beginning. */
interface Writing {
  readonly session: WriteSession
  readonly run: FolderImportRun
  readonly ready: readonly Ready[]
  /** Folders that were found or made in it. */
  readonly places: Map<SourceFolder, Document>
  /** Folders that were made in it, so that no other transaction can have put anything there. */
  readonly created: Set<SourceFolder>
  /** Of the folders that were looked into, the files that another client imported meanwhile. */
  readonly appeared: Map<SourceFolder, ReadonlySet<ReadyFile>>
}

async function write(session: WriteSession, run: FolderImportRun, ready: readonly Ready[]): Promise<Written> {
  const writing: Writing = { session, run, ready, places: new Map(), created: new Set(), appeared: new Map() }
  const outcomes: ImportOutcome[] = []
  for (const one of ready) {
    const outcome = one.kind === 'folder' ? await writeFolder(writing, one.folder) : await writeFile(writing, one)
    if (outcome !== undefined) outcomes.push(outcome)
  }
  return { outcomes, made: writing.places }
}

async function writeFolder(writing: Writing, folder: SourceFolder): Promise<ImportOutcome | undefined> {
  const { session, places, created } = writing
  const { parent = folder } = folder
  const place = await readPlaceForInsert(writing, parent)
  const found = created.has(parent) ? undefined : await findFolder(session, place, folder.name)
  const locked = found && (await session.tx.documents.findForUpdate(found.id))
  places.set(folder, locked ?? (await createFolder(session, place, folder.name)))
  if (locked !== undefined) return undefined
  created.add(folder)
  return { kind: 'folder' }
}

async function writeFile(writing: Writing, one: ReadyFile): Promise<ImportOutcome> {
  const { prepared, overwrites, file } = one
  const parent = await readPlaceForInsert(writing, file.folder)
  if ((await listAppeared(writing, file.folder, parent)).has(one)) return { kind: 'alreadyThere' }
  await importFile(writing.session, prepared, { parent, overwrite: overwrites })
  return { kind: overwrites ? 'overwritten' : 'imported', bytes: file.length }
}

/** The document of a folder. It is locked: until the transaction ends no other one puts a file or folder there. */
async function readPlaceForInsert({ session, run, places }: Writing, folder: SourceFolder): Promise<Document> {
  const locked = places.get(folder)
  if (locked !== undefined) return locked
  const known = run.places.known(folder)
  const place = known && (await session.tx.documents.findForUpdate(known.id))
  if (place === undefined) throw documentNotFound({ reference: known?.path ?? folder.shown })
  places.set(folder, place)
  return place
}

async function listAppeared(writing: Writing, folder: SourceFolder, place: Document): Promise<ReadonlySet<ReadyFile>> {
  const { session, ready, created, appeared } = writing
  const known = appeared.get(folder)
  if (known !== undefined) return known
  const inside = created.has(folder)
    ? []
    : ready.filter((one) => one.kind === 'file').filter(({ file }) => file.folder === folder)
  const names = inside.map(({ file }) => file.name)
  const documents = names.length === 0 ? [] : await listNamed(session, place, names)
  const found = new Set(inside.filter((one) => documents.some((document) => isNewFor(one, document))))
  appeared.set(folder, found)
  return found
}

function isNewFor({ file, lookedAt }: ReadyFile, document: Document): boolean {
  const isNamedSo = document.properties['dc:title'] === importTitle(file.name)
  return isNamedSo && !lookedAt.has(document.id) && mayContain(document, file)
}
