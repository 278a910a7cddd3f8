import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabasePlace, type EngineName, postgresPlace, sqlitePlace } from '../support/database-place.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'

/** Works on a database of its own, whose data is gone afterwards; what stays to be looked at is what `keepData` was called for. */
export async function onStressPlace<Result>(
  engine: EngineName,
  work: (place: DatabasePlace, keepData: () => void) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-stress-'))
  const postgres = engine === 'postgres' ? await startEmbeddedPostgres('full') : undefined
  const place = postgres === undefined ? sqlitePlace(folder) : postgresPlace(folder, postgres.url, 'stress')
  let isKept = false
  try {
    return await work(place, () => {
      isKept = true
    })
  } finally {
    await place.close()
    await postgres?.stop()
    if (!isKept) await rm(folder, { recursive: true, force: true })
  }
}
