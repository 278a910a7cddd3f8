import {
  type BlobValue,
  isBlobValue,
  isComplexValue,
  type Properties,
  type PropertyValue,
} from '../../model/properties/property.ts'
import type { BlobUse } from '../../store/blob-keys.ts'
import { countDigest, isBlobKey, isOldAddress } from '../../store/blobs/blob-digest.ts'
import { type BlobStore, blobMissing } from '../../store/blobs/blob-store.ts'
import type { Repository } from '../session.ts'

/** A file of a document that is not what the document says it is. */
export interface BlobFlaw {
  readonly repository: string
  readonly documentId: string
  /** Null for a version. */
  readonly path: string | null
  readonly xpath: string
  readonly key: string
  readonly flaw: 'missing' | 'unreadable' | 'wrongDigest' | 'wrongLength'
  /** What the document says, and what is there. */
  readonly expected: string
  readonly found: string | null
}

/** A file that was read to its end, with all documents of a repository that have it. */
export interface CheckedBlob {
  readonly key: string
  /** Null when it is missing or cannot be read. */
  readonly length: number | null
  readonly flaws: readonly BlobFlaw[]
}

/**
 * Reads every file that a document of the repository has, each once, and compares it with what its documents say. What is wrong with
 * one is noted in the blob store, so that the next upload of the same bytes mends it, and the note goes when the file is sound.
 */
export async function* checkBlobs(repository: Repository): AsyncGenerator<CheckedBlob> {
  for await (const uses of usesByKey(repository)) yield await checkBlob(repository, uses)
}

/** The same for one file, with all documents that have it. */
export async function checkBlob({ blobs, name }: Repository, uses: BlobUses): Promise<CheckedBlob> {
  const [{ key }] = uses
  const found = await readThrough(blobs, key)
  const flaws = uses.flatMap((use) => flawsOf(name, use, found))
  // Where nothing can be written there is still something to tell.
  if (found.kind !== 'unreadable' || found.isLasting) await noteFlaws(blobs, key, flaws.length > 0).catch(() => {})
  return { key, length: found.kind === 'read' ? found.length : null, flaws }
}

const usesOnAPage = 500

export type BlobUses = readonly [BlobUse, ...BlobUse[]]

/** Each file that documents have, with all of them, behind the key where a walk was left. */
export async function* usesByKey({ store }: Repository, afterKey?: string): AsyncGenerator<BlobUses> {
  const left = afterKey === undefined ? undefined : { key: afterKey, seq: Number.MAX_SAFE_INTEGER }
  let together: [BlobUse, ...BlobUse[]] | undefined
  for await (const use of everyUse((after) => store.reader.blobKeys.listUses(after ?? left, usesOnAPage))) {
    if (together?.[0].key === use.key) together.push(use)
    else {
      if (together !== undefined) yield together
      together = [use]
    }
  }
  if (together !== undefined) yield together
}

async function* everyUse(list: (after: BlobUse | undefined) => Promise<readonly BlobUse[]>): AsyncGenerator<BlobUse> {
  for (let after: BlobUse | undefined; ; ) {
    const page = await list(after)
    yield* page
    if (page.length < usesOnAPage) return
    after = page.at(-1)
  }
}

/** What is under a key. */
type Found =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly isLasting: boolean }
  | { readonly kind: 'read'; readonly length: number; readonly md5: string; readonly sha256: string }

async function readThrough(blobs: BlobStore, key: string): Promise<Found> {
  if (!isBlobKey(key)) return { kind: 'missing' }
  const counted = countDigest('MD5')
  try {
    for await (const chunk of await blobs.read(key)) counted.add(chunk)
  } catch (error) {
    return blobMissing.is(error) ? { kind: 'missing' } : unreadable(error)
  }
  const { key: sha256, digest: md5, length } = counted.finish()
  return { kind: 'read', length, md5, sha256 }
}

/** A disk does not get better by itself, but what is far away does, and what the process lacks at the moment. */
function unreadable(error: unknown): Found {
  const told = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const isLasting = told instanceof Error && 'code' in told && told.code === 'EIO'
  return { kind: 'unreadable', reason: told instanceof Error ? told.message : String(told), isLasting }
}

function noteFlaws({ flaws }: BlobStore, key: string, isFlawed: boolean): Promise<void> {
  return isFlawed ? flaws.mark(key) : flaws.clear(key)
}

function flawsOf(repository: string, use: BlobUse, found: Found): readonly BlobFlaw[] {
  const { documentId, path, key } = use
  const flaws: BlobFlaw[] = []
  for (const [xpath, blob] of blobsWithin(use.properties)) {
    if (blob.key !== key) continue
    const about = { repository, documentId, path, xpath, key }
    flaws.push(...differences(blob, found).map((difference) => ({ ...about, ...difference })))
  }
  return flaws
}

type Difference = Pick<BlobFlaw, 'flaw' | 'expected' | 'found'>

function differences(blob: BlobValue, found: Found): readonly Difference[] {
  switch (found.kind) {
    case 'missing':
      return [{ flaw: 'missing', expected: blob.key, found: null }]
    case 'unreadable':
      return [{ flaw: 'unreadable', expected: blob.key, found: found.reason }]
    case 'read':
      return [...wrongDigests(blob, found), ...wrongLengths(blob, found)]
  }
}

/** The one that names the file, or else the one that clients were shown. */
function wrongDigests({ key, digest }: BlobValue, { md5, sha256 }: Found & { readonly kind: 'read' }): readonly Difference[] {
  const pairs = [
    [key, isOldAddress(key) ? md5 : sha256],
    [digest, isOldAddress(digest) ? md5 : sha256],
  ] as const
  return pairs
    .filter(([expected, found]) => expected !== found)
    .map(([expected, found]) => ({ flaw: 'wrongDigest', expected, found }) as const)
    .slice(0, 1)
}

function wrongLengths(blob: BlobValue, { length }: Found & { readonly kind: 'read' }): readonly Difference[] {
  return blob.length === length ? [] : [{ flaw: 'wrongLength', expected: String(blob.length), found: String(length) }]
}

function* blobsWithin(properties: Properties): Generator<readonly [xpath: string, blob: BlobValue]> {
  for (const [name, value] of Object.entries(properties)) yield* blobsAt(name, value)
}

function* blobsAt(xpath: string, value: PropertyValue): Generator<readonly [xpath: string, blob: BlobValue]> {
  if (isBlobValue(value)) yield [xpath, value]
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* blobsAt(`${xpath}/${index}`, item)
  else if (isComplexValue(value)) for (const [name, member] of Object.entries(value)) yield* blobsAt(`${xpath}/${name}`, member)
}
