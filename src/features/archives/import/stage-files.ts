import { isOldAddress } from '../../../store/blobs/blob-digest.ts'
import type { BlobStore } from '../../../store/blobs/blob-store.ts'
import { archiveDamaged } from '../format/archive-problems.ts'
import { fileNameOf } from '../format/archived-files.ts'
import type { ArchivedFile, ReadableArchive } from '../source/archive-source.ts'

export interface StagedFiles {
  /**
   * Has the blob store hold these files, right before the documents that have them are written: what no document has may be collected.
   * @throws archiveDamaged
   */
  require(keys: ReadonlySet<string>): Promise<void>
  /** The key under which a file is here: another one where it came from a program that named files otherwise. */
  keyOf(key: string): string
  readonly tally: { files: number; bytes: number }
  close(): Promise<void>
}

const atOnce = 8

/**
 * Files lie in the archive in the order in which documents name them first, so that one way through it brings all. Another program may
 * have packed it in another order; then the way begins again at its beginning.
 */
export function stageFiles(archive: ReadableArchive, blobs: BlobStore): StagedFiles {
  const known = new Set(archive.manifest.files.missing)
  const renamed = new Map<string, string>()
  const tally = { files: 0, bytes: 0 }
  let files = archive.files()

  const isHere = async (key: string) => known.has(key) || renamed.has(key) || (await blobs.has(key))

  async function takeSome(): Promise<readonly ArchivedFile[]> {
    const some: ArchivedFile[] = []
    while (some.length < atOnce) {
      const { value, done } = await files.next()
      if (done) break
      some.push(value)
    }
    return some
  }

  async function store(file: ArchivedFile): Promise<void> {
    if (await isHere(file.key)) return
    const place = fileNameOf(file.key)
    const content = await file.open()
    const stored = await blobs.write(content).catch((error: unknown) => {
      if (error instanceof Error && 'kind' in error) throw error
      throw archiveDamaged({ place, reason: 'it cannot be unpacked, or has another length than it says' }, { cause: error })
    })
    const isThat = isOldAddress(file.key)
      ? stored.digest === file.key || blobs.digestAlgorithm !== 'MD5'
      : stored.key === file.key
    if (!isThat) throw archiveDamaged({ place, reason: 'its bytes are not those that its name says' })
    if (stored.key !== file.key) renamed.set(file.key, stored.key)
    tally.files += 1
    tally.bytes += stored.length
  }

  return {
    tally,
    keyOf: (key) => renamed.get(key) ?? key,
    async require(keys) {
      const wanted = new Set<string>()
      for (const key of keys) if (!(await isHere(key))) wanted.add(key)
      for (let restarts = 0; wanted.size > 0; ) {
        const some = await takeSome()
        await Promise.all(some.map(store))
        for (const { key } of some) wanted.delete(key)
        if (some.length > 0) continue
        const [missing = ''] = wanted
        if (restarts++ > 0) throw archiveDamaged({ place: fileNameOf(missing), reason: 'it is missing' })
        files = archive.files()
      }
    },
    async close() {
      await files.return(undefined)
    },
  }
}
