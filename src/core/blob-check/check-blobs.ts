import { type BlobValue, isBlobValue, isComplexValue, type Properties, type PropertyValue } from '../../model/property.ts'
import type { BlobUse } from '../../store/blob-keys.ts'
import { algorithmOf, countDigest, isBlobKey } from '../../store/blobs/blob-digest.ts'
import { type BlobStore, blobMissing, type StoredBlob } from '../../store/blobs/blob-store.ts'
import type { Repository } from '../session.ts'

/** A file of a document that is not what the document says it is. */
export interface BlobFlaw {
  readonly repository: string
  readonly documentId: string
  /** Null for a version. */
  readonly path: string | null
  readonly xpath: string
  readonly key: string
  readonly flaw: 'missing' | 'wrongDigest' | 'wrongLength'
  /** What the document says, and what is there. */
  readonly expected: string
  readonly found: string | null
}

/** A file that was read to its end, with all documents of a repository that have it. */
export interface CheckedBlob {
  readonly key: string
  /** Null when it is missing. */
  readonly length: number | null
  readonly flaws: readonly BlobFlaw[]
}

/** Reads every file that a document of the repository has, each once, and compares it with what its documents say. */
export async function* checkBlobs(repository: Repository): AsyncGenerator<CheckedBlob> {
  const { blobs, name } = repository
  for await (const uses of usesByKey(repository)) {
    const [{ key }] = uses
    const found = await findStored(blobs, key)
    yield { key, length: found?.length ?? null, flaws: uses.flatMap((use) => flawsOf(name, use, found)) }
  }
}

const usesOnAPage = 500

type Uses = readonly [BlobUse, ...BlobUse[]]

async function* usesByKey({ store }: Repository): AsyncGenerator<Uses> {
  let together: [BlobUse, ...BlobUse[]] | undefined
  for await (const use of everyUse((after) => store.reader.blobKeys.listUses(after, usesOnAPage))) {
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

async function findStored(blobs: BlobStore, key: string): Promise<StoredBlob | undefined> {
  if (!isBlobKey(key)) return undefined
  const digest = countDigest(algorithmOf(key))
  try {
    for await (const chunk of await blobs.read(key)) digest.add(chunk)
  } catch (error) {
    if (blobMissing.is(error)) return undefined
    throw error
  }
  return digest.finish()
}

function flawsOf(repository: string, use: BlobUse, found: StoredBlob | undefined): readonly BlobFlaw[] {
  const { documentId, path, key } = use
  const flaws: BlobFlaw[] = []
  for (const [xpath, blob] of blobsWithin(use.properties)) {
    if (blob.key !== key) continue
    const about = { repository, documentId, path, xpath, key }
    if (found === undefined) flaws.push({ ...about, flaw: 'missing', expected: key, found: null })
    else flaws.push(...differences(blob, found).map((difference) => ({ ...about, ...difference })))
  }
  return flaws
}

type Difference = Pick<BlobFlaw, 'flaw' | 'expected' | 'found'>

function differences(blob: BlobValue, found: StoredBlob): readonly Difference[] {
  // A digest of another algorithm than the key's says nothing that the key does not.
  const expected = blob.digest.length === found.digest.length ? blob.digest : blob.key
  const isOther = found.digest !== blob.key || found.digest !== expected
  return [
    ...(isOther ? [{ flaw: 'wrongDigest', expected, found: found.digest } as const] : []),
    ...(blob.length !== found.length
      ? [{ flaw: 'wrongLength', expected: String(blob.length), found: String(found.length) } as const]
      : []),
  ]
}

function* blobsWithin(properties: Properties): Generator<readonly [xpath: string, blob: BlobValue]> {
  for (const [name, value] of Object.entries(properties)) yield* blobsAt(name, value)
}

function* blobsAt(xpath: string, value: PropertyValue): Generator<readonly [xpath: string, blob: BlobValue]> {
  if (isBlobValue(value)) yield [xpath, value]
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* blobsAt(`${xpath}/${index}`, item)
  else if (isComplexValue(value)) for (const [name, member] of Object.entries(value)) yield* blobsAt(`${xpath}/${name}`, member)
}
