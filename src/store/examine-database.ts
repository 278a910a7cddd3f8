import { existsSync, statSync } from 'node:fs'
import { embeddedFile, type StorePlace } from './open-store.ts'
import type { ExaminedPostgres, ExaminedTables } from './postgres/examine-postgres.ts'
import { latestVersion } from './sql/migrations.ts'

/** What was found out about a database, without changing anything in it. */
export type ExaminedDatabase =
  | {
      readonly kind: 'embedded'
      /** Of the tables that this program works with. */
      readonly latest: number
      readonly tables: readonly (ExaminedTables & { readonly file: string; readonly bytes: number })[]
    }
  | ({ readonly kind: 'postgres'; readonly latest: number } & ExaminedPostgres)

type ExaminedPlace = Pick<StorePlace, 'dataFolder' | 'databaseUrl' | 'databaseReplicaUrl' | 'databaseSchema'>

/** Looks at the database that a server would open. @throws what the driver throws where it cannot be reached */
export async function examineDatabase(place: ExaminedPlace, repositories: readonly string[]): Promise<ExaminedDatabase> {
  const { databaseUrl: url, databaseReplicaUrl: replicaUrl, databaseSchema } = place
  if (url === undefined) return { kind: 'embedded', latest: latestVersion, tables: await examineFiles(place, repositories) }
  const { examinePostgres } = await import('./postgres/examine-postgres.ts')
  const schemas = repositories.map((repository) => ({ repository, schema: `${databaseSchema}_${repository}` }))
  return { kind: 'postgres', latest: latestVersion, ...(await examinePostgres(url, { replicaUrl, schemas })) }
}

async function examineFiles({ dataFolder }: ExaminedPlace, repositories: readonly string[]) {
  const { readTableVersion } = await import('./sqlite/table-version.ts')
  return repositories.map((repository) => {
    const file = embeddedFile(dataFolder, repository)
    if (!existsSync(file)) return { repository, file, bytes: 0, version: undefined }
    return { repository, file, bytes: statSync(file).size, version: readTableVersion(file) }
  })
}
