import { isoDate } from '../../base/iso-date.ts'
import { mayBeStored, parseStoredJson } from '../storable-text.ts'
import type { TransientReader, TransientValue, TransientWriter } from '../transient.ts'
import type { SqlConnection, SqlRow } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { releaseMentioned } from './documents/sql-blob-keys.ts'
import * as statements from './transient-statements.ts'

export function createTransientReader(connection: SqlConnection, dialect: Dialect): TransientReader {
  return {
    async find(key, now) {
      if (!mayBeStored(key)) return undefined
      const row = await connection.get(statements.transientByKey(key, now))
      return row && parseStoredJson(row[0] as string)
    },
    async findAll(keys, now) {
      const wanted = keys.filter(mayBeStored)
      if (wanted.length === 0) return []
      return (await connection.all(statements.transientsByKey(dialect, wanted, now))).map(transientOf)
    },
    list: async (prefix, now) => (await connection.all(statements.transientsByPrefix(prefix, now))).map(transientOf),
  }
}

function transientOf([key, value]: SqlRow): TransientValue {
  return { key: key as string, value: parseStoredJson(value as string) }
}

export function createTransientWriter(connection: SqlConnection, dialect: Dialect): TransientWriter {
  return {
    ...createTransientReader(connection, dialect),
    async set(key, value, expires) {
      await connection.run(statements.setTransient(key, value, expires))
    },
    add: async (key, value, expires, now) => (await connection.run(statements.addTransient(key, value, expires, now))) === 1,
    async lease(key, seconds, now) {
      const statement = statements.leaseTransient(key, secondsAfter(now, seconds), now, secondsAfter(now, 2 * seconds))
      return (await connection.run(statement)) === 1
    },
    async renew(prefix, expires, now) {
      await connection.run(statements.renewTransients(prefix, expires, now))
    },
    async increase(key, by, expires, now) {
      const row = await connection.get(statements.increaseTransient(key, by, expires, now))
      return Number(row?.[0])
    },
    async remove(key) {
      await releaseMentioned(connection, dialect, await connection.all(statements.deleteTransient(key)))
    },
    async removeAll(prefix) {
      await releaseMentioned(connection, dialect, await connection.all(statements.deleteTransients(prefix)))
    },
    sweep: (now) => connection.run(statements.deleteExpired(now)),
  }
}

function secondsAfter(now: string, seconds: number): string {
  return isoDate(new Date(Date.parse(now) + seconds * 1_000))
}
