import type { SqlRow } from '../sql/connection.ts'
import type { CarriedTable, RowSource } from '../transfer/carried-database.ts'
import type { ListedBlobs } from '../transfer/copy-files.ts'
import type { Snapshots } from '../transfer/open-carried.ts'
import { type FoundBackup, tableFile } from './backup-folder.ts'
import type { BackedUpTable } from './backup-manifest.ts'
import { readFileList } from './file-list.ts'
import { readLineFile } from './line-file.ts'

/** Reads the whole backup but its files, which are digested when they are copied. @throws backupDamaged */
export async function verifyBackup(backup: FoundBackup, checkStop: () => void): Promise<void> {
  const { folder, manifest } = backup
  for (const [repository, tables] of Object.entries(manifest.repositories))
    for (const table of tables) for await (const _ of readLineFile(tableFile(folder, repository, table.name), table)) checkStop()
  for await (const _ of readFileList(folder, manifest.files)) checkStop()
}

/** The databases as they were, for whoever brings rows elsewhere. */
export function backedUpSnapshots(backup: FoundBackup): Snapshots<RowSource> {
  const repositories = Object.entries(backup.manifest.repositories)
  return {
    sources: new Map(repositories.map(([repository, tables]) => [repository, sourceOf(backup, repository, tables)])),
    close: async () => {},
  }
}

function sourceOf({ folder, manifest }: FoundBackup, repository: string, tables: readonly BackedUpTable[]): RowSource {
  const found = ({ name }: CarriedTable): BackedUpTable => {
    const table = tables.find((one) => one.name === name)
    if (table === undefined) throw new Error(`A backup without ${name} was asked for it.`)
    return table
  }
  return {
    engine: manifest.engine,
    place: `${repository} of ${folder}`,
    listTables: async () => tables,
    count: async (table) => found(table).lines,
    async *pages(table) {
      const at = columnPlaces(found(table), table)
      for await (const lines of readLineFile(tableFile(folder, repository, table.name), found(table)))
        yield lines.map((line) => at(JSON.parse(line)))
    },
    lastNumber: async (table) => found(table).lastNumber,
  }
}

/** Rows in the order in which columns are asked for. */
function columnPlaces(stored: CarriedTable, asked: CarriedTable): (row: SqlRow) => SqlRow {
  const places = asked.columns.map(({ name }) => stored.columns.findIndex((column) => column.name === name))
  return places.every((place, at) => place === at) ? (row) => row : (row) => places.map((at) => row[at] ?? null)
}

/** The files that were there, and not those that only other backups have. */
export function backedUpFiles({ folder, manifest }: FoundBackup, read: ListedBlobs['read']): ListedBlobs {
  return {
    list: (firstDigits) => readFileList(folder, manifest.files, firstDigits),
    read,
  }
}
