import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { DirectoryWriter, StoredEntry } from '../../store/directories.ts'
import { type DataEntry, parseDataRow } from './data-entry.ts'
import { nameOf, readDataRows } from './data-file.ts'
import { type Directories, directoryMistake } from './directories.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { replaceReferences } from './entry-references.ts'
import { storedEntry, termFields, termsOf } from './stored-entry.ts'

/** A directory that a start has something to do with. */
interface Pending {
  readonly definition: DirectoryDefinition
  readonly entries: readonly DataEntry[]
  /** It was never here. */
  readonly isNew: boolean
}

/** By the names of directories. One that has been here before is there, be it for no field, also when it was emptied since. */
type IndexedFields = ReadonlyMap<string, readonly string[]>

/**
 * Fills new directories from their data files, and older ones as their loading policy says; and gives the entries of an older
 * database, or of a definition that was changed, the terms by which they are found. @throws directoryMistake
 */
export async function loadDirectories(directories: Directories, vendored: VendorIdentifiers): Promise<void> {
  const indexed = await directories.store.reader.directories.listIndexedFields()
  const pending: Pending[] = []
  for (const definition of directories.definitions.values()) {
    const one = await findPending(directories, definition, indexed, vendored)
    if (one !== undefined) pending.push(one)
  }
  if (pending.length === 0) return
  await directories.store.transact(async (tx) => {
    await tx.directories.lock()
    // Another process may have come first.
    const before = await tx.directories.listIndexedFields()
    const added = pending.filter(({ definition, isNew }) => isNew && !before.has(definition.name))
    const fieldsOfAdded = new Map(added.map(({ definition }) => [definition.name, termFields(definition)]))
    await tx.directories.noteIndexedFields(fieldsOfAdded)
    const indexedNow = new Map([...before, ...fieldsOfAdded])
    for (const one of pending) await loadDirectory(tx.directories, { ...one, isNew: added.includes(one) }, indexedNow)
  })
}

async function findPending(
  directories: Directories,
  definition: DirectoryDefinition,
  indexed: IndexedFields,
  vendored: VendorIdentifiers,
): Promise<Pending | undefined> {
  const { directories: reader } = directories.store.reader
  const isNew = !indexed.has(definition.name) && !(await reader.hasEntries(definition.name))
  const entries = isNew || definition.loading !== 'neverLoad' ? await readDataEntries(directories, definition, vendored) : []
  return entries.length === 0 && isIndexed(indexed, definition) ? undefined : { definition, entries, isNew }
}

async function loadDirectory(
  writer: DirectoryWriter,
  { definition, entries, isNew }: Pending,
  indexed: IndexedFields,
): Promise<void> {
  if (!isIndexed(indexed, definition))
    await writer.indexTerms(definition.name, termFields(definition), (entry) => termsOf(definition, entry))
  if (isNew || definition.loading !== 'neverLoad') await loadEntries(writer, definition, entries)
}

function isIndexed(indexed: IndexedFields, definition: DirectoryDefinition): boolean {
  const fields = indexed.get(definition.name)
  const wanted = termFields(definition)
  return fields?.length === wanted.length && wanted.every((field) => fields.includes(field))
}

async function readDataEntries(
  directories: Directories,
  definition: DirectoryDefinition,
  vendored: VendorIdentifiers,
): Promise<readonly DataEntry[]> {
  const { dataFile, name: directory } = definition
  if (dataFile === undefined) return []
  const rows = await readDataRows(dataFile, vendored).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw directoryMistake({ directory, reason: `cannot be filled from ${nameOf(dataFile)}. ${reason}` }, { cause: error })
  })
  const entries: DataEntry[] = []
  for (const [index, row] of rows.entries()) entries.push(await parseDataRow(directories, definition, row, index + 1))
  return entries
}

/** New ones all at once, for a vocabulary has hundreds; then what is to be said of each. */
async function loadEntries(
  writer: DirectoryWriter,
  definition: DirectoryDefinition,
  entries: readonly DataEntry[],
): Promise<void> {
  const stored = entries.map(({ entry }) => storedEntry(definition, entry))
  const added = new Set(await writer.insertAll(definition.name, stored))
  for (const [index, { entry, references }] of entries.entries()) {
    // The second of two with the same id finds it taken.
    const isNewEntry = added.delete(entry.id)
    if (!isNewEntry && !(await loadTaken(writer, definition, stored[index] as StoredEntry))) continue
    await replaceReferences(writer, definition, entry.id, references)
  }
}

/** False where the entry that is there stays as it is. @throws directoryMistake */
async function loadTaken(writer: DirectoryWriter, definition: DirectoryDefinition, entry: StoredEntry): Promise<boolean> {
  const { name: directory, loading } = definition
  if (loading === 'errorOnDuplicate')
    throw directoryMistake({ directory, reason: `has a data file with the entry ${entry.id}, which is there already` })
  return loading === 'updateDuplicate' && writer.update(directory, entry)
}
