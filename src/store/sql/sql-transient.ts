import { isoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import type { HeldBy } from '../../base/typed-name.ts'
import { mayBeStored, parseStoredJson } from '../storable-text.ts'
import type { TransientReader, TransientValue, TransientWriter } from '../transient.ts'
import type { SqlConnection, SqlRow } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { releaseMentioned } from './documents/sql-blob-keys.ts'
import * as statements from './transient-statements.ts'

export function createTransientReader(connection: SqlConnection, dialect: Dialect): TransientReader {
  return {
    async find<Key extends string>(key: Key, now: string) {
      if (!mayBeStored(key)) return undefined
      const row = await connection.get(statements.transientByKey(key, now))
      return row && (parseStoredJson(row[0] as string) as HeldBy<Key>)
    },
    async findAll(keys, now) {
      const wanted = keys.filter(mayBeStored)
      if (wanted.length === 0) return []
      return (await connection.all(statements.transientsByKey(dialect, wanted, now))).map(transientOf<Json>)
    },
    list: async <Prefix extends string>(prefix: Prefix, now: string) =>
      (await connection.all(statements.transientsByPrefix(prefix, now))).map(transientOf<HeldBy<Prefix>>),
  }
}

function transientOf<Value>([key, value]: SqlRow): TransientValue<Value> {
  return { key: key as string, value: parseStoredJson(value as string) as Value }
}

export function createTransientWriter(connection: SqlConnection, dialect: Dialect): TransientWriter {
  return {
    ...createTransientReader(connection, dialect),
    async set(key, value, expires) {
      await connection.run(statements.setTransient(key, value as Json, expires))
    },
    add: async (key, value, expires, now) =>
      (await connection.run(statements.addTransient(key, value as Json, expires, now))) === 1,
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
