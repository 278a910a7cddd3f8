import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { atEnd } from './at-end.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

let url: Promise<string> | undefined
const schemas: string[] = []

/** The server all tests share, or, when a test file is run by itself, one that ends with its process. */
export function testPostgresUrl(): Promise<string> {
  url ??= findOrStart()
  return url
}

/** A schema name, or the first part of several, that nobody else uses. Whatever is there is dropped when the tests are over. */
export async function freshPostgresSchema(): Promise<{ url: string; schema: string }> {
  const schema = `test_${randomBytes(6).toString('hex')}`
  schemas.push(schema)
  return { url: await testPostgresUrl(), schema }
}

async function findOrStart(): Promise<string> {
  return process.env['QUIRE_TEST_POSTGRES_URL'] ?? (await startEmbeddedPostgres()).url
}

atEnd(async () => {
  if (schemas.length === 0) return
  const client = new pg.Client(await testPostgresUrl())
  await client.connect()
  for (const schema of schemas) {
    const { rows } = await client.query<{ name: string }>(
      'SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, $1)',
      [schema],
    )
    for (const { name } of rows) await client.query(`DROP SCHEMA ${client.escapeIdentifier(name)} CASCADE`)
  }
  await client.end()
})
