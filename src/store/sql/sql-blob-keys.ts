import type { Properties } from '../../model/property.ts'
import type { BlobKeyReader, BlobKeyWriter, BlobUse } from '../blob-keys.ts'
import * as statements from './blob-key-statements.ts'
import type { Row, SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { parseStoredJson } from './stored-json.ts'

// An answer that is kept for a client that repeats its request may be some megabytes long.
const textsAtOnce = 50

export function createBlobKeyReader(connection: SqlConnection, dialect: Dialect): BlobKeyReader {
  async function* everyText(): AsyncGenerator<string> {
    for (let key = '', page: readonly Row[] | undefined; page === undefined || page.length === textsAtOnce; ) {
      page = await connection.all(statements.transientTexts(key, textsAtOnce))
      for (const [at, value] of page) {
        key = at as string
        yield value as string
      }
    }
    for (let seq = 0, page: readonly Row[] | undefined; page === undefined || page.length === textsAtOnce; ) {
      page = await connection.all(statements.jobTexts(seq, textsAtOnce))
      for (const [at, payload] of page) {
        seq = at as number
        yield payload as string
      }
    }
  }

  return {
    async listNeeded(keys, releasedAfter) {
      const used = await connection.all(statements.usedKeys(dialect, keys))
      const released = await connection.all(statements.releasedKeys(dialect, keys, releasedAfter))
      return new Set([...used, ...released].map(([key]) => key as string))
    },
    async listMentioned() {
      const mentioned = new Set<string>()
      for await (const text of everyText()) for (const key of keysIn(text)) mentioned.add(key)
      return mentioned
    },
    listUses: async (after, limit) =>
      (await connection.all(statements.blobUses(after?.key ?? '', after?.seq ?? 0, limit))).map(useOf),
  }
}

export function createBlobKeyWriter(connection: SqlConnection, dialect: Dialect): BlobKeyWriter {
  return {
    ...createBlobKeyReader(connection, dialect),
    async forgetTexts(keys) {
      await connection.run(statements.deleteTextsOf(dialect, keys))
    },
    async forgetReleases(before) {
      await connection.run(statements.deleteReleases(before))
    },
  }
}

/** Says that what was removed from the transient values mentions these files no more. */
export async function releaseMentioned(connection: SqlConnection, dialect: Dialect, removed: readonly Row[]): Promise<void> {
  const keys = new Set(removed.flatMap(([value]) => keysIn(value as string)))
  if (keys.size > 0) await connection.run(statements.releaseKeys(dialect, [...keys], new Date().toISOString()))
}

/** Whatever looks like the key of a file: one too many is kept a little longer than need be. */
function keysIn(text: string): readonly string[] {
  return text.match(/(?<![0-9a-zA-Z])(?:[0-9a-f]{64}|[0-9a-f]{32})(?![0-9a-zA-Z])/g) ?? []
}

function useOf([key, seq, documentId, path, properties]: Row): BlobUse {
  return {
    key: key as string,
    seq: seq as number,
    documentId: documentId as string,
    path: path as string | null,
    properties: parseStoredJson(properties as string) as Properties,
  }
}
