import { hash } from 'node:crypto'
import { type TypedName, typedName } from '../../base/typed-name.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { plainMimeType } from '../file-texts/text-extractor.ts'
import type { Repository, WriteSession } from '../session.ts'
import type { ConversionParameters } from './converter.ts'
import type { PlannedStep } from './plan-conversion.ts'

/** A result as it is kept: a file that has no name gets that of the source. */
export interface CachedConversion {
  readonly files: readonly BlobValue[]
  /** When it was made. */
  readonly at: string
}

export type CacheKey = TypedName<CachedConversion>

const prefix = typedName<CachedConversion>('conversion/')

/**
 * What a result follows from: the same bytes under the same name and of the same type, converted in the same way, with the same words.
 */
export interface ConversionIdentity {
  readonly steps: readonly PlannedStep[]
  /** The file, and those that the converter is handed beside it. */
  readonly sources: readonly BlobValue[]
  readonly parameters: ConversionParameters
}

// Raised when converters make something else of the same file.
const generation = 4

/**
 * Converters are told the name of a file and may write it into what they make. Whoever has the same bytes under another name must not be
 * given that: the file that it was made of may be hidden from them.
 */
export function cacheKey({ steps, sources, parameters }: ConversionIdentity): CacheKey {
  const way = steps.map(({ converter, way: { module, needs = [] }, target }) => [converter, fileOf(module), needs, target])
  const files = sources.map(({ key, name, 'mime-type': type, encoding }) => [key, name, plainMimeType(type ?? ''), encoding])
  const told = Object.entries(parameters).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return typedName(prefix + hash('sha256', JSON.stringify([generation, way, files, told])))
}

/** Processes on several machines may have the program in different places. */
function fileOf({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1).replace(/\.[jt]s$/, '')
}

/** Nothing invalidates it: it follows from its key. Files that were collected meanwhile are made again. */
export async function findCached({ store, blobs, now }: Repository, key: CacheKey): Promise<CachedConversion | undefined> {
  const found = await store.reader.transient.find(key, now())
  if (found === undefined) return undefined
  for (const { key: file } of found.files) if (!(await blobs.has(file))) return undefined
  return found
}

export async function keepResult(
  { store, now }: Repository,
  key: CacheKey,
  files: readonly BlobValue[],
  cacheMillis: number,
): Promise<void> {
  const at = now()
  const expires = new Date(Date.parse(at) + cacheMillis).toISOString()
  await store.transact((tx) => tx.transient.set(key, { files, at }, expires))
}

/** Removes the oldest results until the others are not larger than that together. The files go with the next collection. */
export async function trimCache({ tx, now }: WriteSession, maxBytes: number): Promise<void> {
  const kept = (await tx.transient.list(prefix, now)).map(({ key, value }) => ({ key, ...value }))
  let bytes = 0
  for (const { key, files } of kept.toSorted((left, right) => (left.at > right.at ? -1 : 1))) {
    bytes += files.reduce((sum, { length }) => sum + length, 0)
    if (bytes > maxBytes) await tx.transient.remove(key)
  }
}
