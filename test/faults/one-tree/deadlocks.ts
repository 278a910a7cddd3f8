import type { DatabasePlace } from '../../support/database-place.ts'

/** As PostgreSQL counts them, of the whole database; a connection that is closed has told all. */
export async function countDeadlocks(place: DatabasePlace): Promise<number> {
  if (place.engine === 'sqlite') return 0
  const [row] = await place.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
  return Number(row?.['deadlocks'])
}
