import sql from 'sql-template-tag'
import { blobsIn, bytesIn, type Properties, type PropertyValue } from '../../../model/properties/property.ts'
import type { BlobKeyReader, BlobKeyWriter, BlobUse, PlacedFiles } from '../../blob-keys.ts'
import { parseStoredJson } from '../../storable-text.ts'
import type { SqlConnection, SqlRow } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import * as statements from './blob-key-statements.ts'

// An answer that is stored for a client that repeats its request may be some megabytes long.
const textsAtOnce = 50
// All that have one digest have one file, but for files that were made to have the same.
const documentsLookedAt = 20

export function createBlobKeyReader(connection: SqlConnection, dialect: Dialect): BlobKeyReader {
  async function* everyText(): AsyncGenerator<string> {
    for (let key = '', page: readonly SqlRow[] | undefined; page === undefined || page.length === textsAtOnce; ) {
      page = await connection.all(statements.transientTexts(key, textsAtOnce))
      for (const [at, value] of page) {
        key = at as string
        yield value as string
      }
    }
    for (let seq = 0, page: readonly SqlRow[] | undefined; page === undefined || page.length === textsAtOnce; ) {
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
    async listDigests(keys) {
      return new Set((await connection.all(statements.usedDigests(dialect, keys))).map(([key]) => key as string))
    },
    async listKeysOf(digest) {
      const rows = await connection.all(statements.propertiesWithDigest(digest, documentsLookedAt))
      const blobs = rows.flatMap(([properties]) => blobsIn(parseStoredJson(properties as string) as PropertyValue))
      return new Set(blobs.filter((blob) => blob.digest === digest).map(({ key }) => key))
    },
    hasAny: async () => (await connection.get(statements.anyKey)) !== undefined,
    listOldAddresses: async (after, limit) =>
      (await connection.all(statements.oldAddresses(after, limit))).map(([key]) => key as string),
    count: async () => Number((await connection.get(statements.keyCount))?.[0]),
    countOldAddresses: async () => Number((await connection.get(statements.oldAddressCount))?.[0]),
    listReferrers: async (key, after, limit) =>
      (await connection.all(statements.blobReferrers(key, after, limit))).map(([id, seq]) => ({
        documentId: id as string,
        seq: seq as number,
      })),
    now: async () => (await connection.get(sql`SELECT ${dialect.now}`))?.[0] as string,
    listPlaced: async (path, after, limit) =>
      (await connection.all(statements.placedFiles(path, after?.path, limit))).map(placedOf),
    listPlacedVersions: async (path, after, limit) =>
      (await connection.all(statements.placedVersions(path, after, limit))).map(placedOf),
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
    async copyTexts(from, to) {
      await connection.run(statements.copyTexts(from, to))
    },
    async forgetReleases(before) {
      await connection.run(statements.deleteReleases(before))
    },
  }
}

/** Says that what was removed from the transient values mentions these files no more. */
export async function releaseMentioned(connection: SqlConnection, dialect: Dialect, removed: readonly SqlRow[]): Promise<void> {
  const keys = new Set(removed.flatMap(([value]) => keysIn(value as string)))
  if (keys.size > 0) await connection.run(statements.releaseKeys(dialect, [...keys]))
}

/** Whatever looks like the key of a file: one too many stays a little longer than need be. */
function keysIn(text: string): readonly string[] {
  return text.match(/(?<![0-9a-zA-Z])(?:[0-9a-f]{64}|[0-9a-f]{32})(?![0-9a-zA-Z])/g) ?? []
}

function placedOf([documentId, path, isTrashed, properties, seq]: SqlRow): PlacedFiles {
  return {
    documentId: documentId as string,
    path: path as string,
    isTrashed: isTrashed === 1,
    bytes: bytesIn(parseStoredJson(properties as string) as Properties),
    seq: seq as number,
  }
}

function useOf([key, seq, documentId, path, type, properties]: SqlRow): BlobUse {
  return {
    key: key as string,
    seq: seq as number,
    documentId: documentId as string,
    path: path as string | null,
    type: type as string,
    properties: parseStoredJson(properties as string) as Properties,
  }
}
