import { isDeepStrictEqual } from 'node:util'
import type { DirectoryEntry } from '../../store/directories.ts'
import type { WriteSession } from '../session.ts'
import { createEntry, defaultsOf } from './create-entry.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { requireDirectoryEditor } from './directory-rights.ts'
import type { EntryChange } from './entry-change.ts'
import { announceEntry } from './entry-events.ts'
import { requireNewEntryId } from './entry-id.ts'
import { storedEntry } from './stored-entry.ts'
import { requireUniqueValues } from './unique-values.ts'

/** What is done with an entry whose id is taken. */
export type TakenPolicy = 'update' | 'skip'

export interface ImportCounts {
  readonly created: number
  readonly updated: number
  /** They were there, and stay as they are. */
  readonly unchanged: number
}

/**
 * For a session where directories live, of a directory that has no references and does not count its ids; each change has the id, and none that of
 * another. Of an entry that is there only what was given changes; one that is not there has the schema's defaults besides. New ones are
 * stored at once, for a vocabulary has thousands.
 * @throws notADirectoryEditor, peopleDirectoryClosed, directoryReadOnly, entryIdMissing, invalidEntryId, entryValueTaken
 */
export async function importEntries(
  session: WriteSession,
  definition: DirectoryDefinition,
  changes: readonly EntryChange['values'][],
  taken: TakenPolicy,
): Promise<ImportCounts> {
  requireDirectoryEditor(session.principal, definition)
  const { directories } = session.tx
  await directories.lock()
  const { name: directory, idField } = definition
  const idOf = (values: EntryChange['values']) => String(values[idField])
  const before = new Map((await directories.findAll(directory, changes.map(idOf))).map((entry) => [entry.id, entry]))
  const isKnown = (values: EntryChange['values']) => before.has(idOf(values))
  const added = changes.filter((values) => !isKnown(values))
  await addAll(session, definition, added)
  const known = taken === 'skip' ? [] : changes.filter(isKnown)
  let updated = 0
  for (const values of known) {
    const entry = before.get(idOf(values)) as DirectoryEntry
    const { [idField]: _id, ...changed } = values
    const next = { id: entry.id, values: { ...entry.values, ...changed } }
    if (isDeepStrictEqual(next.values, entry.values)) continue
    await requireUniqueValues(session, definition, changed, entry.id)
    await directories.update(directory, storedEntry(definition, next))
    await announceEntry(session, directory, { before: entry, after: next })
    updated += 1
  }
  return { created: added.length, updated, unchanged: changes.length - added.length - updated }
}

async function addAll(
  session: WriteSession,
  definition: DirectoryDefinition,
  changes: readonly EntryChange['values'][],
): Promise<void> {
  const { name: directory, idField, uniqueFields } = definition
  if (uniqueFields.length > 0) {
    for (const values of changes) await createEntry(session, definition, { values, references: {} })
    return
  }
  const defaults = defaultsOf(session.repository.directories, definition)
  const entries = changes.map((change) => {
    const values = { ...defaults, ...change }
    return { id: requireNewEntryId(directory, values[idField]), values }
  })
  await session.tx.directories.insertAll(
    directory,
    entries.map((entry) => storedEntry(definition, entry)),
  )
  for (const after of entries) await announceEntry(session, directory, { after })
}
