import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { importTitle } from '../import-file.ts'
import type { Batched } from './batches.ts'
import type { FolderImportRun } from './folder-import.ts'
import { hasSameContent, mayContain } from './same-content.ts'
import { fileOnDisk, isUnreadable } from './source-file.ts'
import type { SourceFileEntry, SourceFolder } from './source-tree.ts'
import { reasonOf } from './tally.ts'
import { listNamed } from './target-tree.ts'

/** Something that is still to be done. */
export type Wanted = { readonly kind: 'folder'; readonly folder: SourceFolder } | WantedFile

export interface WantedFile {
  readonly kind: 'file'
  readonly file: SourceFileEntry
  /** A document of that name is given the content. */
  readonly overwrites: boolean
  /** Documents of that name that were looked at. */
  readonly lookedAt: ReadonlySet<string>
}

/**
 * What of a batch is not there yet. This is what makes an import go on where another was ended: a folder or a file counts as done when
 * its document is there.
 */
export function sortOut(run: FolderImportRun, batch: readonly Batched[]): Promise<readonly Wanted[]> {
  return run.access.read((session) => sortOutIn(session, run, batch))
}

async function sortOutIn(session: Session, run: FolderImportRun, batch: readonly Batched[]): Promise<readonly Wanted[]> {
  const named = await listAllNamed(session, run, batch)
  const wanted: Wanted[] = []
  for (const entry of batch) {
    if (isInRefused(run, entry)) continue
    if (entry.kind === 'file') {
      const file = await sortOutFile(run, entry.file, named.get(entry.file.folder)?.get(importTitle(entry.file.name)) ?? [])
      if (file !== undefined) wanted.push(file)
    } else if ((await run.places.find(session, entry.folder)) === undefined) {
      wanted.push(entry)
    }
  }
  return wanted
}

/** What is in a folder that could not be made has nowhere to go. */
export function isInRefused({ places, counter }: FolderImportRun, entry: Batched | Wanted): boolean {
  const [around, path] = entry.kind === 'file' ? [entry.file.folder, entry.file.shown] : [entry.folder.parent, entry.folder.shown]
  if (around === undefined || !places.isRefused(around)) return false
  counter.add({ kind: 'failed', path, reason: 'its folder could not be made' })
  return true
}

type ByTitle = ReadonlyMap<unknown, readonly Document[]>

/** One look at each folder that is there, for all the files of the batch that are in it. */
async function listAllNamed(
  session: Session,
  { places }: FolderImportRun,
  batch: readonly Batched[],
): Promise<ReadonlyMap<SourceFolder, ByTitle>> {
  const files = batch.flatMap((entry) => (entry.kind === 'file' ? [entry.file] : []))
  const named = new Map<SourceFolder, ByTitle>()
  for (const [folder, inside] of Map.groupBy(files, (file) => file.folder)) {
    const place = await places.find(session, folder)
    if (place === undefined) continue
    const documents = await listNamed(
      session,
      place,
      inside.map(({ name }) => name),
    )
    named.set(
      folder,
      Map.groupBy(documents, ({ properties }) => properties['dc:title']),
    )
  }
  return named
}

async function sortOutFile(
  { access: { repository }, counter, overwrite, checksum }: FolderImportRun,
  file: SourceFileEntry,
  ofThatName: readonly Document[],
): Promise<WantedFile | undefined> {
  const candidates = ofThatName.filter((document) => mayContain(document, file))
  const lookedAt = new Set(ofThatName.map(({ id }) => id))
  if (candidates.length === 0) return { kind: 'file', file, overwrites: false, lookedAt }
  const compared = { ...file, read: fileOnDisk(file, repository.blobs).read }
  try {
    for (const document of candidates) {
      if (!(await hasSameContent(document, compared, { checksum }))) continue
      counter.add({ kind: 'alreadyThere' })
      return undefined
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    counter.add({ kind: 'failed', path: file.shown, reason: reasonOf(error) })
    return undefined
  }
  if (overwrite) return { kind: 'file', file, overwrites: true, lookedAt }
  counter.add({ kind: 'failed', path: file.shown, reason: otherContent })
  return undefined
}

const otherContent = 'a document of that name has other content; --overwrite replaces it'
