import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'

/** The statements that made tables, in their order, and every row. */
interface KeptTables {
  readonly schema: string
  readonly statements: readonly string[]
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly rows: readonly object[] }[]
}

/**
 * Has the database note every statement that makes or changes a table, as a server sends it: what a version made is known
 * exactly, without a program that writes databases down.
 */
export async function noteStatements(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('CREATE SCHEMA noted')
    await client.query('CREATE TABLE noted.statements (number serial PRIMARY KEY, statement text NOT NULL)')
    await client.query(`CREATE FUNCTION noted.note() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO noted.statements (statement) VALUES (current_query()); END $$`)
    await client.query('CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION noted.note()')
  })
}

/** Writes down what a server has made in a schema of a database that notes statements. */
export async function keepTables(url: string, schema: string, file: string): Promise<void> {
  const kept = await withClient(url, async (client): Promise<KeptTables> => {
    await client.query('DROP EVENT TRIGGER note')
    const noted = await client.query<{ statement: string }>('SELECT statement FROM noted.statements ORDER BY number')
    const found = await client.query<{ name: string; columns: string[] }>(
      `SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns FROM information_schema.columns
        WHERE table_schema = $1 AND is_generated = 'NEVER' GROUP BY table_name ORDER BY table_name`,
      [schema],
    )
    const tables = []
    for (const { name, columns } of found.rows) {
      const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
      const { rows } = await client.query<{ row: object }>(
        `SELECT row_to_json(kept) AS row FROM (SELECT ${list} FROM ${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}) kept`,
      )
      tables.push({ name, columns, rows: rows.map(({ row }) => row) })
    }
    return { schema, statements: noted.rows.map(({ statement }) => statement), tables }
  })
  await writeFile(file, gzipSync(JSON.stringify(kept)))
}

/** Makes them again in another schema. */
export async function bringTables(url: string, schema: string, file: string): Promise<void> {
  const kept: KeptTables = JSON.parse(gunzipSync(await readFile(file)).toString('utf8'))
  await withClient(url, async (client) => {
    const identifier = client.escapeIdentifier(schema)
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public')
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${identifier}`)
    await client.query(`SET search_path TO ${identifier}`)
    for (const statement of kept.statements) {
      if (/\b(SCHEMA|EXTENSION)\b/.test(statement)) continue
      await client.query(statement.replaceAll(kept.schema, schema))
    }
    for (const { name, columns, rows } of kept.tables) {
      const table = client.escapeIdentifier(name)
      const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
      await client.query(`DELETE FROM ${table}`)
      await client.query(`INSERT INTO ${table} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1)`, [
        JSON.stringify(rows),
      ])
    }
    await client.query(`SELECT setval(pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name),
        coalesce((xpath('/row/last/text()', query_to_xml(format('SELECT max(%I) AS last FROM %I.%I', column_name, table_schema, table_name), false, true, '')))[1]::text::bigint, 0) + 1, false)
      FROM information_schema.columns WHERE table_schema = '${schema}' AND is_identity = 'YES'`)
  })
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
