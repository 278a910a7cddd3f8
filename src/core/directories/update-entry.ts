import type { DirectoryEntry } from '../../store/directories.ts'
import type { WriteSession } from '../session.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { requireDirectoryEditor } from './directory-rights.ts'
import type { EntryChange } from './entry-change.ts'
import { announceEntry } from './entry-events.ts'
import { replaceReferences, withReferences } from './entry-references.ts'
import { entryNotFound } from './find-entry.ts'
import { storedEntry } from './stored-entry.ts'
import { requireUniqueValues } from './unique-values.ts'

/**
 * For a session where directories live. Only what was given changes, and never the id.
 * @throws notADirectoryEditor, peopleDirectoryClosed, directoryReadOnly, entryNotFound, entryValueTaken
 */
export async function updateEntry(
  session: WriteSession,
  definition: DirectoryDefinition,
  id: string,
  change: EntryChange,
): Promise<DirectoryEntry> {
  requireDirectoryEditor(session.principal, definition)
  const { directories } = session.tx
  await directories.lock()
  const before = await directories.find(definition.name, id)
  if (before === undefined) throw entryNotFound({ directory: definition.name, id })
  const { [definition.idField]: _id, ...changed } = change.values
  const entry = { id, values: { ...before.values, ...changed } }
  await requireUniqueValues(session, definition, changed, id)
  await directories.update(definition.name, storedEntry(definition, entry))
  await replaceReferences(directories, definition, id, change.references)
  await announceEntry(session, definition.name, { before, after: entry })
  return withReferences(directories, definition, entry)
}
