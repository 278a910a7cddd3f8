import pg from 'pg'
import { databaseAbsent, poolerInTheWay } from '../problems.ts'
import type { SqlConnection, SqlRow, SqlStatement } from '../sql/connection.ts'
import { setCopyComplete } from '../sql/copy-mark.ts'
import {
  type CarriedColumn,
  type CarriedSource,
  type CarriedTable,
  type CarriedTarget,
  type ColumnKind,
  everyKey,
  fileKeysAfter,
  tableNotCarried,
} from '../transfer/carried-database.ts'
import { prepareTarget, type TargetWish } from '../transfer/prepare-target.ts'
import { makeSchema } from './make-schema.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { problemOfPostgres } from './postgres-errors.ts'
import { addressOf, requireProgram } from './postgres-store.ts'
import { isShared } from './shared-connections.ts'

/** All schemas of a server as they are at one moment, read beside servers that go on writing to them. */
export interface PostgresSnapshot {
  open(schema: string): Promise<CarriedSource>
  close(): Promise<void>
}

export async function openPostgresSnapshot(url: string): Promise<PostgresSnapshot> {
  const client = await connect(url)
  await ask(client, url, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  // The first look fixes what is seen.
  await ask(client, url, 'SELECT pg_current_snapshot()')
  return {
    async open(schema) {
      const place = `${schema} of ${addressOf(url)}`
      const [found] = await ask(client, url, 'SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
      if (found === undefined) throw databaseAbsent({ place })
      return sourceOf({ client, url, schema, place })
    },
    close: () => client.end(),
  }
}

/** @throws targetNotEmpty */
export async function openPostgresTarget(
  url: string,
  schema: string,
  wish: Omit<TargetWish, 'place'>,
): Promise<CarriedTarget & { close(): Promise<void> }> {
  const [reader, writer] = [await connect(url), await connect(url)]
  const connection = connectionOver(writer, url)
  const close = async () => {
    await Promise.all([reader.end(), writer.end()])
  }
  const place = `${schema} of ${addressOf(url)}`
  try {
    await requireProgram(connection, addressOf(url))
    await inTransaction(writer, url, async () => {
      await ask(writer, url, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [schema])
      await makeSchema(connection, schema)
      await ask(writer, url, `SET search_path = ${pg.escapeIdentifier(schema)}`)
      await prepareTarget(connection, postgresDialect, { ...wish, place })
    })
    await ask(writer, url, `SET search_path = ${pg.escapeIdentifier(schema)}`)
  } catch (error) {
    await close()
    throw error
  }
  const own = { client: reader, url, schema, place }
  return {
    ...sourceOf(own),
    pages: (table) => inOwnTransaction(own, () => pagesOf(own, table)),
    insert: async (table, rows) => void (await ask(writer, url, insertText(schema, table), arraysOf(table.columns, rows))),
    remove: async (table, keys) => void (await ask(writer, url, removeText(schema, table), arraysOf(keyColumns(table), keys))),
    async continueFrom({ name, key }, number) {
      if (number === 0) return
      const about = [`${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`, key[0] ?? '', number]
      await ask(
        writer,
        url,
        'SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint) WHERE pg_get_serial_sequence($1, $2) IS NOT NULL',
        about,
      )
    },
    close,
  }
}

export async function completePostgresCopy(url: string, schema: string): Promise<void> {
  const client = await connect(url)
  try {
    await ask(client, url, `SET search_path = ${pg.escapeIdentifier(schema)}`)
    await setCopyComplete(connectionOver(client, url), true)
  } finally {
    await client.end()
  }
}

interface Opened {
  readonly client: pg.Client
  readonly url: string
  readonly schema: string
  readonly place: string
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true })
  // What was asked fails, and says why.
  client.on('error', () => {})
  try {
    await client.connect()
    if (await isShared(client)) throw poolerInTheWay({ place: addressOf(url) })
    await client.query(
      'SET jit = off; SET statement_timeout = 0; SET lock_timeout = 60000; SET idle_in_transaction_session_timeout = 0',
    )
    return client
  } catch (error) {
    await client.end().catch(() => {})
    if (poolerInTheWay.is(error)) throw error
    throw problemOfPostgres(error, addressOf(url)) ?? error
  }
}

const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700])
const types = { getTypeParser: (type: number) => (numberTypes.has(type) ? Number : String) }

async function ask(client: pg.Client, url: string, text: string, values: readonly unknown[] = []): Promise<SqlRow[]> {
  return (await query(client, url, text, values)).rows
}

async function query(client: pg.Client, url: string, text: string, values: readonly unknown[]) {
  try {
    return await client.query<(string | number | null)[]>({ text, values: [...values], types, rowMode: 'array' })
  } catch (error) {
    throw problemOfPostgres(error, addressOf(url)) ?? error
  }
}

function connectionOver(client: pg.Client, url: string): SqlConnection {
  const rows = ({ text, values }: SqlStatement) => query(client, url, text, values)
  return {
    all: async (statement) => (await rows(statement)).rows,
    get: async (statement) => (await rows(statement)).rows[0],
    run: async (statement) => (await rows(statement)).rowCount ?? 0,
  }
}

async function inTransaction(client: pg.Client, url: string, work: () => Promise<void>): Promise<void> {
  await ask(client, url, 'BEGIN')
  try {
    await work()
    await ask(client, url, 'COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** A cursor needs one, and has to see what was written since the last. */
async function* inOwnTransaction<Item>({ client, url }: Opened, work: () => AsyncGenerator<Item>): AsyncGenerator<Item> {
  await ask(client, url, 'BEGIN READ ONLY')
  try {
    yield* work()
  } finally {
    await client.query('ROLLBACK').catch(() => {})
  }
}

function sourceOf(opened: Opened): CarriedSource {
  const { client, url, schema, place } = opened
  return {
    engine: 'postgres',
    place,
    listTables: (names) => listTables(opened, names),
    count: async ({ name }) => Number((await ask(client, url, `SELECT count(*) FROM ${fullName(schema, name)}`))[0]?.[0]),
    pages: (table) => pagesOf(opened, table),
    async lastNumber({ name, key }) {
      const about = [fullName(schema, name), key[0]]
      const [sequence] = await ask(client, url, 'SELECT pg_get_serial_sequence($1, $2)', about)
      if (sequence?.[0] === null || sequence === undefined) return 0
      const [state] = await ask(
        client,
        url,
        `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM ${sequence[0]}`,
      )
      // Of the very moment and not of the snapshot, and so never too small.
      const [largest] = await ask(client, url, `SELECT max(${pg.escapeIdentifier(key[0] ?? '')}) FROM ${fullName(schema, name)}`)
      return Math.max(Number(state?.[0] ?? 0), Number(largest?.[0] ?? 0))
    },
    fileKeys() {
      const text = fileKeysAfter(fullName(schema, 'document_values'), '$1')
      return everyKey(async (key) => (await ask(client, url, text, [key])).map(([value]) => String(value)))
    },
  }
}

const catalogue = `
  SELECT tables.relname, columns.attname, format_type(columns.atttypid, NULL), columns.attidentity::text,
         array_position(keys.indkey::int2[], columns.attnum)
    FROM pg_class AS tables
    JOIN pg_namespace AS schemas ON schemas.oid = tables.relnamespace
    JOIN pg_attribute AS columns ON columns.attrelid = tables.oid AND columns.attnum > 0 AND NOT columns.attisdropped
    LEFT JOIN pg_index AS keys ON keys.indrelid = tables.oid AND keys.indisprimary
   WHERE schemas.nspname = $1 AND tables.relkind IN ('r', 'p') AND NOT tables.relispartition
   ORDER BY tables.relname COLLATE "C", columns.attnum`

// Words as the engine indexes them, which are made anew on the other side.
const derivedTypes = ['tsvector']

async function listTables({ client, url, schema }: Opened, names?: readonly string[]): Promise<readonly CarriedTable[]> {
  const byName = Map.groupBy(await ask(client, url, catalogue, [schema]), ([table]) => String(table))
  return [...byName]
    .filter(([name]) => names === undefined || names.includes(name))
    .filter(([, rows]) => !rows.some(([, , type]) => derivedTypes.includes(String(type))))
    .map(([name, rows]): CarriedTable => {
      const columns = rows.map(([, column, type]) => columnOf(name, String(column), String(type)))
      const key = rows
        .filter(([, , , , place]) => place !== null)
        .sort((left, right) => Number(left[4]) - Number(right[4]))
        .map(([, column]) => String(column))
      const isNumbered = rows.some(([, column, , identity]) => identity !== '' && column === key[0])
      return { name, columns, key, hasPrimaryKey: key.length > 0, isNumbered }
    })
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  bigint: 'integer',
  integer: 'integer',
  smallint: 'integer',
  text: 'text',
  'character varying': 'text',
  jsonb: 'json',
  json: 'json',
  'double precision': 'number',
  real: 'number',
  numeric: 'number',
}

function columnOf(table: string, name: string, type: string): CarriedColumn {
  const kind = kinds[type]
  if (kind === undefined)
    throw tableNotCarried({ table, reason: `its column ${name} has the type ${type}, which not every database has` })
  return { name, kind, type }
}

const fullName = (schema: string, table: string) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`

const fewestRows = 20
const mostRows = 1_000
const bytesOnAPage = 4_000_000

async function* pagesOf({ client, url, schema }: Opened, table: CarriedTable): AsyncGenerator<readonly SqlRow[]> {
  const cursor = pg.escapeIdentifier(`rows_of_${table.name}`)
  await ask(client, url, `DECLARE ${cursor} NO SCROLL CURSOR FOR ${selectText(schema, table)}`)
  try {
    for (let size = fewestRows; ; ) {
      const page = await ask(client, url, `FETCH ${size} FROM ${cursor}`)
      if (page.length > 0) yield page
      if (page.length < size) return
      size = Math.min(mostRows, Math.max(1, Math.floor(bytesOnAPage / (roughBytes(page) / page.length))))
    }
  } finally {
    await client.query(`CLOSE ${cursor}`).catch(() => {})
  }
}

function roughBytes(page: readonly SqlRow[]): number {
  let bytes = 1
  for (const row of page) for (const value of row) bytes += typeof value === 'string' ? value.length : 8
  return bytes
}

/** A primary key has an index in this order; only where there is none may something be missing in a row. */
function selectText(schema: string, { name, columns, key, hasPrimaryKey }: CarriedTable): string {
  const selected = columns.map((column) => `${pg.escapeIdentifier(column.name)}${column.type.startsWith('json') ? '::text' : ''}`)
  const isText = (wanted: string) => columns.find((column) => column.name === wanted)?.kind === 'text'
  const order = key.map(
    (column) => `${pg.escapeIdentifier(column)}${isText(column) ? ' COLLATE "C"' : ''}${hasPrimaryKey ? '' : ' NULLS FIRST'}`,
  )
  return `SELECT ${selected.join(', ')} FROM ${fullName(schema, name)} ORDER BY ${order.join(', ')}`
}

function keyColumns({ key, columns }: CarriedTable): readonly CarriedColumn[] {
  return key.flatMap((name) => columns.filter((column) => column.name === name))
}

/** One list for each column, so that the text is the same however many rows there are. */
function arraysOf(columns: readonly CarriedColumn[], rows: readonly SqlRow[]): readonly unknown[] {
  return columns.map((_, at) => rows.map((row) => row[at] ?? null))
}

function unnested(columns: readonly CarriedColumn[]): string {
  const lists = columns.map(({ type }, at) => `$${at + 1}::${type.startsWith('json') ? 'text' : type}[]`)
  return `unnest(${lists.join(', ')}) AS given(${columns.map((_, at) => `v${at}`).join(', ')})`
}

function insertText(schema: string, { name, columns }: CarriedTable): string {
  const values = columns.map(({ type }, at) => (type.startsWith('json') ? `v${at}::${type}` : `v${at}`))
  return `INSERT INTO ${fullName(schema, name)} (${columns.map((column) => pg.escapeIdentifier(column.name)).join(', ')})
    SELECT ${values.join(', ')} FROM ${unnested(columns)}`
}

function removeText(schema: string, table: CarriedTable): string {
  const same = table.hasPrimaryKey ? '=' : 'IS NOT DISTINCT FROM'
  const columns = keyColumns(table)
  const conditions = columns.map(({ name }, at) => `rows.${pg.escapeIdentifier(name)} ${same} v${at}`)
  return `DELETE FROM ${fullName(schema, table.name)} AS rows USING ${unnested(columns)} WHERE ${conditions.join(' AND ')}`
}
