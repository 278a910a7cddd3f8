import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { newId } from '../../base/ids.ts'
import { handOver } from '../../base/spent-bytes.ts'
import { isBlobKey } from './blob-digest.ts'
import { type BlobStore, blobMissing, type DigestAlgorithm, type ListedBlob, noSpaceLeft } from './blob-store.ts'
import { bringBack, findLeavingKey, listLeaving, removeUnlessTouched } from './filesystem/departures.ts'
import { createDurableFolders, syncFolder, writeDurably } from './filesystem/durable-files.ts'
import { namesIn, openIfThere, statIfThere, touchIfThere } from './filesystem/files-if-there.ts'

export interface FilesystemBlobOptions {
  readonly folder: string
  readonly digestAlgorithm: DigestAlgorithm
}

// Four times Node's own: large files are read with fewer trips to the thread pool.
const readBytes = 256 * 1024

/**
 * Blobs as files named by their digest: `data/5d/41/5d41…`, and beside `data` the folder `tmp` for those that arrive or leave. A
 * file is whole and durable before it has its name, and the name is durable before anybody hears of it.
 */
export function createFilesystemBlobs(options: FilesystemBlobOptions): BlobStore {
  const { digestAlgorithm } = options
  const top = resolve(options.folder)
  const temporary = join(top, 'tmp')
  const folders = createDurableFolders(top)
  const homeOf = (key: string) => placeBelow(join(top, 'data'), key)
  // The first program had them in the folder itself.
  const placesOf = (key: string) => [homeOf(key), placeBelow(top, key)]

  /** Where it belongs, else on the way out, else where it was put back in between. */
  async function findFirst<Found>(key: string, find: (path: string) => Promise<Found | undefined>): Promise<Found | undefined> {
    if (!isBlobKey(key)) return undefined
    for (const places of [placesOf, (leaving: string) => listLeaving(leaving, temporary), placesOf]) {
      for (const path of await places(key)) {
        const found = await find(path)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** Bytes that are there already are as if they had just come, so that no collection takes them from whoever will name them. */
  async function takeIn(arriving: string, key: string): Promise<void> {
    const present = await findTouched(placesOf(key))
    const path = present ?? homeOf(key)
    await folders.ensure(dirname(path))
    await (present === undefined ? rename(arriving, path) : rm(arriving))
    // Also when they were there: whoever brought them may not have come this far.
    await syncFolder(dirname(path))
  }

  /** A write that never ended is of no use; a removal that never ended may be of something that is needed. */
  async function clearAway(name: string, path: string): Promise<number> {
    const key = findLeavingKey(name)
    if (key === undefined) {
      await rm(path, { force: true })
      return 1
    }
    await folders.ensure(dirname(homeOf(key)))
    await bringBack(path, homeOf(key))
    return 0
  }

  return {
    digestAlgorithm,

    async write(content, { signal } = {}) {
      const arriving = join(temporary, newId())
      try {
        await folders.ensure(temporary)
        const written = await writeDurably(arriving, { content, digestAlgorithm, signal })
        await takeIn(arriving, written.key)
        return written
      } catch (error) {
        await rm(arriving, { force: true })
        throw isFull(error) ? noSpaceLeft({}, { cause: error }) : error
      }
    },

    async read(key, range) {
      const file = await findFirst(key, openIfThere)
      if (file === undefined) throw blobMissing({ key })
      return handOver(file.createReadStream({ ...range, highWaterMark: readBytes }))
    },

    has: async (key) => (await findFirst(key, statIfThere)) !== undefined,

    async *list(firstDigits = '') {
      yield* listBelow(join(top, 'data'), firstDigits)
      yield* listBelow(top, firstDigits)
    },

    async remove(blob) {
      await folders.ensure(temporary)
      const removals = placesOf(blob.key).map((path) => removeUnlessTouched(path, blob, temporary))
      return (await Promise.all(removals)).includes(true)
    },

    async removeUnfinished(before) {
      let removed = 0
      for (const folder of [temporary, join(top, 'arriving')]) {
        for (const name of await namesIn(folder)) {
          const path = join(folder, name)
          const { ctime = before } = (await statIfThere(path)) ?? {}
          if (ctime < before) removed += await clearAway(name, path)
        }
      }
      return removed
    },
  }
}

function placeBelow(root: string, key: string): string {
  return join(root, key.slice(0, 2), key.slice(2, 4), key)
}

async function findTouched(places: readonly string[]): Promise<string | undefined> {
  for (const path of places) if (await touchIfThere(path)) return path
  return undefined
}

async function* listBelow(root: string, digits: string): AsyncGenerator<ListedBlob> {
  const isWanted = (key: string) => key.startsWith(digits.slice(0, key.length))
  for (const first of (await namesIn(root)).filter((name) => isLevel(name) && isWanted(name))) {
    for (const second of (await namesIn(join(root, first))).filter((name) => isLevel(name) && isWanted(first + name))) {
      const folder = join(root, first, second)
      const keys = (await namesIn(folder)).filter((name) => isBlobKey(name) && isWanted(name))
      const files = await Promise.all(keys.map(async (key) => ({ key, stats: await statIfThere(join(folder, key)) })))
      for (const { key, stats } of files) {
        if (stats !== undefined) yield { key, length: stats.size, touched: stats.mtime }
      }
    }
  }
}

function isLevel(name: string): boolean {
  return /^[0-9a-f]{2}$/.test(name)
}

const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && fullCodes.includes(error.code)
}
