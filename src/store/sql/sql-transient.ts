import type { TransientReader, TransientWriter } from '../transient.ts'
import type { SqlConnection } from './connection.ts'
import { parseStoredJson } from './stored-json.ts'
import * as statements from './transient-statements.ts'

export function createTransientReader(connection: SqlConnection): TransientReader {
  return {
    async find(key, now) {
      const row = await connection.get(statements.transientByKey(key, now))
      return row && parseStoredJson(row[0] as string)
    },
  }
}

export function createTransientWriter(connection: SqlConnection): TransientWriter {
  return {
    ...createTransientReader(connection),
    async set(key, value, expires) {
      await connection.run(statements.setTransient(key, value, expires))
    },
    add: async (key, value, expires, now) => (await connection.run(statements.addTransient(key, value, expires, now))) === 1,
    async remove(key) {
      await connection.run(statements.deleteTransient(key))
    },
    sweep: (now) => connection.run(statements.deleteExpired(now)),
  }
}
