import { defineProblem } from '../../base/problem.ts'
import type { WriteSession } from '../session.ts'
import { fieldsOf } from './directories.ts'
import type { DeleteConstraint, DirectoryDefinition } from './directory-definition.ts'
import { requireDirectoryEditor } from './directory-rights.ts'
import { announceEntry } from './entry-events.ts'
import { findIdValue } from './entry-id.ts'
import { dropReferences } from './entry-references.ts'
import { entryNotFound } from './find-entry.ts'
import { readDirectory } from './read-directory.ts'
import { planLookup } from './search-entries.ts'

export const entryReferredTo = defineProblem(
  'entryReferredTo',
  'conflict',
  (_: { directory: string; id: string; by: string }) => 'This entry is referenced in another vocabulary.',
)

/**
 * For a session where directories live. Documents that hold the id keep it.
 * @throws notADirectoryEditor, peopleDirectoryClosed, directoryReadOnly, entryNotFound, entryReferredTo
 */
export async function deleteEntry(session: WriteSession, definition: DirectoryDefinition, id: string): Promise<void> {
  requireDirectoryEditor(session.principal, definition)
  const { directories } = session.tx
  await directories.lock()
  const { name: directory } = definition
  const before = await directories.find(directory, id)
  if (before === undefined) throw entryNotFound({ directory, id })
  for (const constraint of definition.deleteConstraints) {
    const by = await findReferring(session, constraint, definition, id)
    if (by !== undefined) throw entryReferredTo({ directory, id, by })
  }
  await directories.remove(directory, id)
  await dropReferences(directories, session.repository.directories, directory, id)
  await announceEntry(session, directory, { before })
}

/** Another entry that names this one: one that names itself may go. */
async function findReferring(
  session: WriteSession,
  { directory, field }: DeleteConstraint,
  definition: DirectoryDefinition,
  id: string,
): Promise<string | undefined> {
  const referring = readDirectory(session, directory)
  const { directories } = session.repository
  const named = fieldsOf(directories, referring).find(({ name }) => name === field)
  const value = named && findIdValue(named, id)
  if (value === undefined) return undefined
  const lookup = planLookup(referring, { [field]: value })
  const { entries } = await session.tx.directories.search({ ...lookup, limit: 2 })
  return entries.find((entry) => directory !== definition.name || entry.id !== id)?.id
}
