import { freshPostgresSchema } from './postgres.ts'

/** Where a server of that engine keeps its documents, in a test. */
export async function databaseSettings(engine: 'sqlite' | 'postgres'): Promise<{ [name: string]: unknown }> {
  if (engine === 'sqlite') return {}
  const { url, schema } = await freshPostgresSchema()
  return { databaseUrl: url, databaseSchema: schema }
}
