import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'
import { type DatabasePlace, type EngineName, postgresPlace, sqlitePlace } from './database-place.ts'
import { filledDatabase } from './filled-database.ts'
import { freshPostgresSchema } from './postgres.ts'

const places: DatabasePlace[] = []

/** An empty place that nobody else has. It is gone when the tests are over. */
export async function freshPlace(engine: EngineName): Promise<DatabasePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-place-'))
  const place = engine === 'sqlite' ? sqlitePlace(folder) : await freshPostgresPlace(folder)
  places.push(place)
  return place
}

/** The same where a server has started once, which the next one need not do again. */
export async function filledPlace(engine: EngineName): Promise<DatabasePlace> {
  const { data, databaseUrl = '', databaseSchema = '' } = await filledDatabase(engine)
  const place = engine === 'sqlite' ? sqlitePlace(data) : postgresPlace(data, databaseUrl, databaseSchema)
  places.push(place)
  return place
}

async function freshPostgresPlace(folder: string): Promise<DatabasePlace> {
  const { url, schema } = await freshPostgresSchema()
  return postgresPlace(folder, url, schema)
}

atEnd(async () => {
  for (const place of places) {
    await place.close()
    await rm(place.folder, { recursive: true, force: true })
  }
})
