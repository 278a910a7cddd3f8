import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabasePlace } from './database-place.ts'

/** Every file that a document has and the blob store has not, or not with these bytes, as sentences. */
export async function findBrokenBlobs(place: DatabasePlace): Promise<readonly string[]> {
  const holders = await holdersOfBlobs(place)
  const broken: string[] = []
  for (const [key, ids] of holders) {
    if (!(await isWhole(fileOf(place, key), key))) broken.push(`${ids} has a file ${key} that is not there, or not whole`)
  }
  return broken
}

/** Every file in the blob store that no document has, and whatever is left there of writes and removals, as sentences. */
export async function findOrphanBlobs(place: DatabasePlace): Promise<readonly string[]> {
  const holders = await holdersOfBlobs(place)
  const stored = await listFiles(join(place.folder, 'blobs', 'data'))
  const unfinished = await listFiles(join(place.folder, 'blobs', 'tmp'))
  return [
    ...stored.filter((key) => !holders.has(key)).map((key) => `the file ${key} belongs to no document`),
    ...unfinished.map((name) => `${name} is left of a write or removal that never ended`),
  ]
}

/** Keys of blobs with the ids of the documents that have them. */
async function holdersOfBlobs(place: DatabasePlace): Promise<ReadonlyMap<string, readonly string[]>> {
  const column = place.engine === 'sqlite' ? 'properties' : 'properties::text'
  const rows = await place.query(`SELECT id, ${column} AS properties FROM documents WHERE ${column} LIKE '%digestAlgorithm%'`)
  const holders = new Map<string, string[]>()
  for (const { id, properties } of rows) {
    for (const key of keysIn(JSON.parse(String(properties)))) holders.set(key, [...(holders.get(key) ?? []), String(id)])
  }
  return holders
}

function keysIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('key' in value && 'digestAlgorithm' in value) return [String(value.key)]
  return Object.values(value).flatMap(keysIn)
}

function fileOf({ folder }: DatabasePlace, key: string): string {
  return join(folder, 'blobs', 'data', key.slice(0, 2), key.slice(2, 4), key)
}

async function isWhole(file: string, key: string): Promise<boolean> {
  const digest = createHash(key.length === 32 ? 'md5' : 'sha256')
  try {
    for await (const chunk of createReadStream(file)) digest.update(chunk)
  } catch {
    return false
  }
  return digest.digest('hex') === key
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
