import { defineProblem } from '../../base/problem.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import type { WriteSession } from '../session.ts'
import { type Directories, fieldsOf } from './directories.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { requireDirectoryEditor } from './directory-rights.ts'
import type { EntryChange } from './entry-change.ts'
import { announceEntry } from './entry-events.ts'
import { requireNewEntryId } from './entry-id.ts'
import { replaceReferences, withReferences } from './entry-references.ts'
import { storedEntry } from './stored-entry.ts'
import { requireUniqueValues } from './unique-values.ts'

export const entryExists = defineProblem(
  'entryExists',
  'conflict',
  (of: { directory: string; id: string }) => `Entry with id ${of.id} already exists`,
)

/**
 * For a session where directories live. What was not given has the schema's defaults.
 * @throws notADirectoryEditor, peopleDirectoryClosed, directoryReadOnly, entryIdMissing, invalidEntryId, entryExists, entryValueTaken
 */
export async function createEntry(
  session: WriteSession,
  definition: DirectoryDefinition,
  change: EntryChange,
): Promise<DirectoryEntry> {
  requireDirectoryEditor(session.principal, definition)
  const { directories } = session.tx
  const values = { ...defaultsOf(session.repository.directories, definition), ...change.values }
  await requireUniqueValues(session, definition, values)
  const entry = definition.autoincrementId
    ? await insertCounted(session, definition, values)
    : await insertNamed(session, definition, values)
  await replaceReferences(directories, definition, entry.id, change.references)
  await announceEntry(session, definition.name, { after: entry })
  return withReferences(directories, definition, entry)
}

/** The default values of an entry. */
export function defaultsOf(
  directories: Pick<Directories, 'model'>,
  definition: DirectoryDefinition,
): { readonly [field: string]: PropertyValue } {
  const referring = new Set(definition.references.map(({ field }) => field))
  const own = fieldsOf(directories, definition).filter(({ name }) => !referring.has(name))
  return Object.fromEntries(own.map(({ name, defaultValue }) => [name, defaultValue]))
}

async function insertNamed(
  { tx }: WriteSession,
  definition: DirectoryDefinition,
  values: DirectoryEntry['values'],
): Promise<DirectoryEntry> {
  const { name: directory, idField } = definition
  const entry = { id: requireNewEntryId(directory, values[idField]), values }
  if (!(await tx.directories.insert(directory, storedEntry(definition, entry)))) throw entryExists({ directory, id: entry.id })
  return entry
}

/** Numbers that came with a data file are passed over. */
async function insertCounted(
  { tx }: WriteSession,
  definition: DirectoryDefinition,
  values: DirectoryEntry['values'],
): Promise<DirectoryEntry> {
  for (;;) {
    const number = await tx.directories.nextId(definition.name)
    const entry = { id: String(number), values: { ...values, [definition.idField]: number } }
    if (await tx.directories.insert(definition.name, storedEntry(definition, entry))) return entry
  }
}
