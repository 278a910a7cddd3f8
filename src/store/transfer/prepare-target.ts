import { raw } from 'sql-template-tag'
import { defineProblem } from '../../base/problem.ts'
import type { SqlConnection } from '../sql/connection.ts'
import { addCopyMark, findCopyMark, setCopyComplete } from '../sql/copy-mark.ts'
import type { Dialect } from '../sql/dialect.ts'
import { clearWordCounts } from '../sql/documents/document-index.ts'
import { trigramsPrefix } from '../sql/documents/document-index-statements.ts'
import { wordsPrefix } from '../sql/documents/fill-document-index.ts'
import { latestVersion, migrate, migrations, requireVersion } from '../sql/migrations.ts'
import { migratePlugins } from '../sql/plugin-tables.ts'
import type { PluginTables } from '../tables.ts'

export const targetNotEmpty = defineProblem(
  'targetNotEmpty',
  'conflict',
  (of: { place: string }) =>
    `There is data in ${of.place} that is not an earlier part of this copy. Nothing was changed. Name an empty place, or remove what is ` +
    'there if it is of no use any more.',
)

export interface TargetWish {
  readonly place: string
  /** The id that the source has in common with its files. */
  readonly source: string
  readonly tables: readonly PluginTables[]
  /** The version of its tables, where rows of an older one are brought: whoever opens it later takes them further. */
  readonly schema?: number
}

/**
 * Makes the tables, empty and marked as a copy, or finds those of the same copy; what follows from rows is taken away, as it is made anew
 * at the end. To be called in a transaction.
 * @throws targetNotEmpty, databaseTooNew, databaseOutdated
 */
export async function prepareTarget(connection: SqlConnection, dialect: Dialect, wish: TargetWish): Promise<void> {
  const { place, source, tables, schema = latestVersion } = wish
  const present = (await connection.all(dialect.tableNames))
    .map(([name]) => String(name))
    .filter((name) => !name.startsWith('sqlite_'))
  if (present.length === 0) {
    await migrate(
      connection,
      dialect,
      migrations.filter(({ version }) => version <= schema),
    )
    await migratePlugins(connection, dialect, tables)
    return addCopyMark(connection, dialect, source)
  }
  const mark = await findCopyMark(connection, dialect)
  // Those of an older version may have been taken further by now.
  if (mark?.source !== source || schema < latestVersion) throw targetNotEmpty({ place })
  await requireVersion(connection)
  // A plugin may have been listed since.
  await migratePlugins(connection, dialect, tables)
  await setCopyComplete(connection, false)
  await clearDerived(connection, dialect)
}

async function clearDerived(connection: SqlConnection, dialect: Dialect): Promise<void> {
  for (const statement of dialect.fulltext.clear) await connection.run(raw(statement))
  await connection.run(clearWordCounts)
  if (dialect.engine === 'sqlite') await connection.run(raw('DROP TABLE IF EXISTS trigrams'))
  for (const prefix of [wordsPrefix, trigramsPrefix])
    await connection.run(raw(`DELETE FROM kept_indexes WHERE name LIKE '${prefix}%'`))
}
