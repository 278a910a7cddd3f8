import type { Directories } from '../../../core/directories/directories.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { replaceReferences } from '../../../core/directories/entry-references.ts'
import { storedEntry } from '../../../core/directories/stored-entry.ts'
import type { Repository } from '../../../core/session.ts'
import type { DirectoryWriter } from '../../../store/directories.ts'
import { type ArchivedEntry, readEntry } from '../format/entry-line.ts'
import type { ReadableArchive } from '../source/archive-source.ts'
import { linesOf } from './check-archive.ts'

export interface PeopleTally {
  readonly entries: number
  /** Directories that this server does not have: their entries were left out. */
  readonly unknown: readonly string[]
}

// Each group is stored with all its members.
const atOnce = 100

/**
 * Makes the directories of a server that has nothing of its own what they are in the archive. What is there of the same id is replaced,
 * and what the archive has not is removed: so the same run may come again.
 */
export async function importPeople(
  archive: ReadableArchive,
  { directories }: Repository,
  /** @throws */
  check: () => Promise<void>,
): Promise<PeopleTally> {
  const unknown = new Set<string>()
  const left = await listThere(directories)
  let entries = 0
  for await (const lines of linesOf(archive, 'people', atOnce)) {
    await check()
    const read = lines.map(({ text, place }) => readEntry(text, place))
    const known = read.filter(({ directory }) => directories.definitions.has(directory))
    for (const { directory } of read) if (!directories.definitions.has(directory)) unknown.add(directory)
    for (const { directory, id } of known) left.get(directory)?.delete(id)
    await directories.store.transact((tx) => storeAll(directories, tx.directories, known))
    entries += known.length
  }
  await directories.store.transact(async (tx) => {
    for (const [directory, ids] of left) if (ids.size > 0) await tx.directories.removeAll(directory, [...ids])
  })
  return { entries, unknown: [...unknown].sort() }
}

/** A server with nothing of its own has a few hundred, or what an earlier run has brought. */
async function listThere({ definitions, store }: Directories): Promise<ReadonlyMap<string, Set<string>>> {
  const there = new Map<string, Set<string>>()
  for (const name of definitions.keys()) {
    const entries = await store.reader.directories.list(name)
    there.set(name, new Set(entries.map(({ id }) => id)))
  }
  return there
}

async function storeAll({ definitions }: Directories, writer: DirectoryWriter, entries: readonly ArchivedEntry[]): Promise<void> {
  for (const entry of entries) {
    const definition = definitions.get(entry.directory)
    if (definition === undefined) continue
    const stored = storedEntry(definition, entry)
    if (!(await writer.update(definition.name, stored))) await writer.insert(definition.name, stored)
    await replaceReferences(writer, definition, entry.id, ownReferences(definition, entry))
    if (definition.autoincrementId && /^\d{1,15}$/.test(entry.id)) await writer.countFrom(definition.name, Number(entry.id))
  }
}

/** Those that it has not are emptied. */
function ownReferences({ references }: DirectoryDefinition, entry: ArchivedEntry): ArchivedEntry['references'] {
  const own = references.filter(({ end }) => end === 'targets')
  return Object.fromEntries(own.map(({ field }) => [field, entry.references[field] ?? []]))
}
