import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { lockSubtree as lockSubtreeStatement } from './subtree-statements.ts'

/**
 * Keeps everything at and below the path as it is until the transaction ends. Whoever creates a child holds its parent
 * (`hold`), and a statement does not see what was committed while it waited for that: so lock again until
 * nothing new is found. SQLite has one writer and nothing to wait for.
 */
export async function lockSubtree(connection: SqlConnection, dialect: Dialect, path: string): Promise<void> {
  if (dialect.engine === 'sqlite') return
  const lock = async () => (await connection.get(lockSubtreeStatement(dialect, path)))?.[0] as number
  for (let before = -1, found = await lock(); found !== before; ) {
    before = found
    found = await lock()
  }
}
