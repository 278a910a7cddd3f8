import type { PropertyValue } from '../../model/property.ts'
import type { DirectoryEntry, DirectoryReader, DirectoryWriter } from '../directories.ts'
import type { Row, SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import * as statements from './directory-statements.ts'
import { parseStoredJson } from './stored-json.ts'

export function createDirectoryReader(connection: SqlConnection): DirectoryReader {
  return {
    async find(directory, id) {
      // No stored text holds this character, and PostgreSQL refuses even to look for one.
      if (id.includes('\0')) return undefined
      const row = await connection.get(statements.entryById(directory, id))
      return row && entryOf(row)
    },
    list: async (directory) => (await connection.all(statements.entriesOf(directory))).map(entryOf),
    hasEntries: async (directory) => (await connection.get(statements.anyEntryOf(directory))) !== undefined,
    listTargets: async (reference, sourceId) => textsIn(await connection.all(statements.targetsOf(reference, sourceId))),
    listSources: async (reference, targetId) => textsIn(await connection.all(statements.sourcesOf(reference, targetId))),
    generation: async () => (await connection.get(statements.directoryGeneration))?.[0] as number,
  }
}

/** One transaction's: it raises the generation once, however much it writes. */
export function createDirectoryWriter(connection: SqlConnection, dialect: Dialect): DirectoryWriter {
  let isRaised = false
  const raiseGeneration = async () => {
    if (isRaised) return
    isRaised = true
    await connection.run(statements.raiseDirectoryGeneration)
  }
  const write = async (statement: Parameters<SqlConnection['run']>[0]) => {
    await raiseGeneration()
    return (await connection.run(statement)) === 1
  }
  return {
    ...createDirectoryReader(connection),
    insert: (directory, entry) => write(statements.insertEntry(directory, entry)),
    update: (directory, entry) => write(statements.updateEntry(directory, entry)),
    remove: (directory, id) => write(statements.deleteEntry(directory, id)),
    async removeAll(directory, ids) {
      if (ids.length > 0) await write(statements.deleteEntries(dialect, directory, ids))
    },
    async replaceTargets(reference, sourceId, targetIds) {
      await write(statements.deleteTargets(reference, sourceId))
      const targets = [...new Set(targetIds)]
      if (targets.length > 0) await write(statements.insertTargets(dialect, reference, sourceId, targets))
    },
  }
}

function entryOf([id, entry]: Row): DirectoryEntry {
  return { id: id as string, values: parseStoredJson(entry as string) as { readonly [field: string]: PropertyValue } }
}

function textsIn(rows: readonly Row[]): readonly string[] {
  return rows.map(([text]) => text as string)
}
