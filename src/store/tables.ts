import type { Sql } from 'sql-template-tag'

/** The types of columns that both engines have: dates are ISO 8601 text, flags are 0 or 1, JSON comes and goes as text. */
export interface TableColumns {
  readonly text: string
  readonly integer: string
  readonly flag: string
  readonly json: string
  /** A number that the database gives to each new row, larger than those before it; it is the primary key. */
  readonly rowNumber: string
}

/** One step of a plugin's tables from a version to the next. Once released it never changes: what is wrong in it the next one mends. */
export interface TableMigration {
  readonly version: number
  statements(columns: TableColumns): readonly string[]
}

/** The tables of a plugin in the database of each repository; their names begin with its own. */
export interface PluginTables {
  readonly plugin: string
  readonly migrations: readonly TableMigration[]
}

/** Values in the order of the selected columns. */
export type TableRow = readonly (string | number | null)[]

/** Looks into the tables of plugins. */
export interface TableReader {
  /** Stopped after the time limit of searches. */
  all(statement: Sql): Promise<readonly TableRow[]>
  get(statement: Sql): Promise<TableRow | undefined>
}

/** Reads and writes in the transaction, with all else that it does. */
export interface TableWriter extends TableReader {
  /** Gives how many rows were inserted, changed or removed. */
  run(statement: Sql): Promise<number>
  /**
   * Runs a statement whose outcome need not be awaited: all that come after see what it wrote, and one of them, or the commit, fails
   * when it did.
   */
  send(statement: Pick<Sql, 'sql' | 'text' | 'values'>): Promise<unknown>
}
