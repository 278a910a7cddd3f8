import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import { freshPostgresSchema } from '../../../../test/support/postgres.ts'
import { aStoredDocument, aStoredProxy, aStoredVersion } from '../../../../test/support/stored-document.ts'
import { postgresDialect } from '../../postgres/postgres-dialect.ts'
import { sqliteDialect } from '../../sqlite/sqlite-dialect.ts'
import type { SqlConnection, SqlRow, SqlStatement } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { documentOf } from '../documents/document-row.ts'
import { documentById, insertDocuments } from '../documents/document-statements.ts'
import { migrate, migrations } from '../migrations.ts'

/** Proxies as older programs stored them: with nothing but what they keep themselves. */
const root = aStoredDocument({ id: 'root', type: 'Root' })
const live = aStoredDocument({ id: 'live', parentId: 'root', name: 'live', path: '/live', type: 'File' })
const version = aStoredVersion(live, {
  id: 'version',
  majorVersion: 1,
  minorVersion: 2,
  facets: ['Commentable'],
  state: 'approved',
  isLatestVersion: true,
  versionCreated: '2024-01-01T00:00:00.000Z',
  versionComment: 'as sent',
  properties: { 'dc:title': 'Shown', 'dc:subjects': ['art'], 'collectionMember:collectionIds': ['of the version'] },
})
const bare = aStoredProxy(root, 'bare', version, { id: 'bare', type: 'File' })
const member = aStoredProxy(root, 'member', version, {
  id: 'member',
  type: 'File',
  properties: { 'collectionMember:collectionIds': ['own'], 'notif:notifications': [{ name: 'x', subscribers: ['ann'] }] },
})

async function migrated(connection: SqlConnection, dialect: Dialect) {
  await migrate(connection, dialect, migrations.slice(0, 7))
  await connection.all(insertDocuments([root, live, version, bare, member]))
  await migrate(connection, dialect, migrations.slice(0, 8))
  const read = async (id: string) => documentOf('default', (await connection.get(documentById(id))) as SqlRow)
  return { bare: await read('bare'), member: await read('member'), live: await read('live') }
}

function assertRepeated(found: Awaited<ReturnType<typeof migrated>>): void {
  const { majorVersion, minorVersion, facets, state, versionCreated, versionComment, isLatestVersion } = version
  const shown = { majorVersion, minorVersion, facets, state, versionCreated, versionComment, isLatestVersion }
  const properties = { 'dc:title': 'Shown', 'dc:subjects': ['art'] }
  assert.deepEqual(found.bare, { ...bare, ...shown, properties })
  assert.deepEqual(found.member, { ...member, ...shown, properties: { ...properties, ...member.properties } })
  assert.deepEqual(found.live, live)
}

test('proxies of an older database repeat what they show, beside what they keep themselves (sqlite)', async () => {
  using database = new DatabaseSync(':memory:', { returnArrays: true })
  const rowsOf = ({ sql: text, values }: SqlStatement) =>
    database.prepare(text).all(...(values as (string | number | null)[])) as unknown as readonly SqlRow[]
  const connection: SqlConnection = {
    all: async (statement) => rowsOf(statement),
    get: async (statement) => rowsOf(statement)[0],
    run: async (statement) => rowsOf(statement).length,
  }
  assertRepeated(await migrated(connection, sqliteDialect))
})

test('proxies of an older database repeat what they show, beside what they keep themselves (postgres)', async (context) => {
  const { url, schema } = await freshPostgresSchema()
  const client = new pg.Client(url)
  await client.connect()
  context.after(() => client.end())
  const types = { getTypeParser: (type: number) => ([20, 21, 23].includes(type) ? Number : String) }
  const rowsOf = async ({ text, values }: SqlStatement) =>
    (await client.query<(string | number | null)[]>({ text, values, types, rowMode: 'array' })).rows
  const connection: SqlConnection = {
    all: rowsOf,
    get: async (statement) => (await rowsOf(statement))[0],
    run: async (statement) => (await rowsOf(statement)).length,
  }
  await connection.run(raw(`CREATE SCHEMA IF NOT EXISTS ${schema}`))
  await connection.run(sql`SELECT set_config('search_path', ${schema}, false)`)
  assertRepeated(await migrated(connection, postgresDialect))
})
