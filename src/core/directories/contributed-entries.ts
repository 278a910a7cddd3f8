import { Problem } from '../../base/problem.ts'
import type { Access } from '../access.ts'
import type { Session } from '../session.ts'
import { createEntry, entryExists } from './create-entry.ts'
import type { DataRow } from './data-file.ts'
import { directoryMistake } from './directories.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { type EntryChange, prepareEntryChange } from './entry-change.ts'
import { readDirectory } from './read-directory.ts'
import { planLookup } from './search-entries.ts'
import { entryValueTaken } from './unique-values.ts'

/**
 * Entries that a start adds to a directory, which may be another plugin's, unless they are there: by their id, or by a field that is
 * unique in it. What was changed since stays changed.
 * @example
 * const cloudbox: ContributedEntries = {
 *   directory: 'oauth2ServiceProviders',
 *   rows: [{ serviceName: 'cloudbox', tokenServerURL: 'https://cloudbox.example/token', clientId: 'abc' }],
 * }
 */
export interface ContributedEntries {
  readonly directory: string
  readonly rows: readonly DataRow[]
}

/** @param access that of the server itself, where directories live @throws directoryMistake */
export async function ensureEntries(access: Access, contributed: readonly ContributedEntries[]): Promise<void> {
  for (const { directory, rows } of contributed) {
    const definition = readDirectory(access, directory)
    for (const [index, row] of rows.entries()) {
      try {
        await ensureEntry(access, definition, row)
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== 'invalid') throw error
        const reason = `is given an entry that it cannot have, the ${index + 1}. of its plugin. ${error.message}`
        throw directoryMistake({ directory, reason }, { cause: error })
      }
    }
  }
}

async function ensureEntry(access: Access, definition: DirectoryDefinition, row: DataRow): Promise<void> {
  const change = await prepareEntryChange(access.repository.directories, definition, row)
  if (await access.read((session) => isThere(session, definition, change))) return
  try {
    await access.write((session) => createEntry(session, definition, change))
  } catch (error) {
    // Another process, which starts at the same time, came first.
    if (!entryExists.is(error) && !entryValueTaken.is(error)) throw error
  }
}

async function isThere({ reader }: Session, definition: DirectoryDefinition, { values }: EntryChange): Promise<boolean> {
  const { name, idField, autoincrementId, uniqueFields } = definition
  const id = values[idField]
  if (!autoincrementId && typeof id === 'string' && (await reader.directories.find(name, id)) !== undefined) return true
  for (const field of uniqueFields) {
    const lookup = planLookup(definition, { [field]: values[field] ?? null })
    if ((await reader.directories.search({ ...lookup, limit: 1 })).entries.length > 0) return true
  }
  return false
}
