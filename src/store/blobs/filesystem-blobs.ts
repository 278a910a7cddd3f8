import { constants } from 'node:fs'
import { copyFile, link, open, readFile, rename, rm, writeFile as writeText } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { newId } from '../../base/ids.ts'
import { handOver } from '../../base/spent-bytes.ts'
import { isBlobKey } from './blob-digest.ts'
import {
  type BlobFlaws,
  type BlobStore,
  blobDamaged,
  blobMissing,
  type DigestAlgorithm,
  type ListedBlob,
  type StoredBlob,
} from './blob-store.ts'
import { bringBack, findLeavingKey, listLeaving, removeUnlessTouched } from './filesystem/departures.ts'
import { createFileDigester } from './filesystem/digest-thread.ts'
import { createDurableFolders, makeDurable, syncFolder, writeDurably } from './filesystem/durable-files.ts'
import { explainingStream, explainingWrites, explainReading } from './filesystem/file-problems.ts'
import { namesIn, openIfThere, statIfThere, touchIfThere } from './filesystem/files-if-there.ts'

export interface FilesystemBlobOptions {
  readonly folder: string
  readonly digestAlgorithm: DigestAlgorithm
}

// Four times Node's own: large files are read with fewer trips to the thread pool.
const readBytes = 256 * 1024

/**
 * Blobs as files named by their digest: `data/5d/41/5d41…`, and beside `data` the folder `tmp` for those that arrive or leave,
 * `flawed` with an empty file for each that was found missing or damaged, and the file `owner`. A file is whole and durable before it
 * has its name, and the name is durable before a caller hears of it.
 */
export function createFilesystemBlobs(options: FilesystemBlobOptions): BlobStore {
  const { digestAlgorithm } = options
  const top = resolve(options.folder)
  const temporary = join(top, 'tmp')
  const owner = join(top, 'owner')
  const folders = createDurableFolders(top)
  const digestFile = createFileDigester(digestAlgorithm)
  const flaws = createFlaws(join(top, 'flawed'), folders.ensure)
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

  /** By the clock of the file system, which for one in the network is not that of this machine. */
  async function now(): Promise<Date> {
    await folders.ensure(temporary)
    const path = join(temporary, newId())
    const file = await open(path, 'wx', 0o600)
    try {
      return (await file.stat()).mtime
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
  }

  /**
   * Bytes that are there already are as if they had just come, so that no collection takes them from the document that will refer
   * to them. Where something else is there in their place they replace it: this upload may be the one that mends it.
   */
  async function takeIn(arriving: string, { key, length }: StoredBlob): Promise<void> {
    const found = await findFile(placesOf(key))
    const isFlawed = found !== undefined && (found.length !== length || (await flaws.has(key)))
    const isPresent = found !== undefined && !isFlawed && (await touchIfThere(found.path, await now()))
    const path = found?.path ?? homeOf(key)
    await folders.ensure(dirname(path))
    await (isPresent ? rm(arriving) : rename(arriving, path))
    // Also when they were there: the process that wrote them may not have come this far.
    await syncFolder(dirname(path))
    if (!isPresent) await flaws.clear(key)
  }

  async function write(...[content, { signal } = {}]: Parameters<BlobStore['write']>): Promise<StoredBlob> {
    const arriving = join(temporary, newId())
    try {
      await explainingWrites(folders.ensure(temporary))
      const written = await writeDurably(arriving, { content, digestAlgorithm, signal })
      await explainingWrites(takeIn(arriving, written))
      return written
    } catch (error) {
      await rm(arriving, { force: true }).catch(() => {})
      throw error
    }
  }

  /** What is digested is the copy: whoever made the file may go on writing to it. */
  async function writeFile(path: string): Promise<StoredBlob> {
    const arriving = join(temporary, newId())
    try {
      await explainingWrites(folders.ensure(temporary))
      await explainingWrites(copyFile(path, arriving, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL))
      const [written] = await Promise.all([digestFile(arriving), explainingWrites(makeDurable(arriving))])
      await explainingWrites(takeIn(arriving, written))
      return written
    } catch (error) {
      await rm(arriving, { force: true }).catch(() => {})
      throw error
    }
  }

  async function read(...[key, range, length]: Parameters<BlobStore['read']>): Promise<Readable> {
    const file = await findFirst(key, openIfThere).catch((error) => {
      throw explainReading(error)
    })
    if (file === undefined) throw blobMissing({ key })
    const found = length === undefined ? undefined : (await file.stat()).size
    if (length !== undefined && found !== undefined && found !== length) {
      await file.close()
      throw blobDamaged({ key, expected: length, found })
    }
    // No larger than the file: what a stream makes ready for thousands of short ones had the collector run all the time.
    const highWaterMark = Math.min(readBytes, Math.max(found ?? readBytes, 1))
    return handOver(explainingStream(file.createReadStream({ ...range, highWaterMark })))
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
    flaws,
    now,
    write,
    writeFile,
    read,

    async copyTo(key, path, length) {
      const found = await findFirst(key, async (place) => ((await statIfThere(place))?.size === length ? place : undefined))
      if (found === undefined) return false
      // One that is removed in between is read instead, or found missing.
      return copyFile(found, path, constants.COPYFILE_FICLONE).then(
        () => true,
        () => false,
      )
    },

    has: async (key) => (await findFirst(key, statIfThere)) !== undefined,

    async addAddress(key, blob) {
      const found = await findFirst(key, async (path) => ((await statIfThere(path)) === undefined ? undefined : path))
      if (found === undefined) throw blobMissing({ key })
      const arriving = join(temporary, newId())
      await folders.ensure(temporary)
      // Both names are of one file and so of one age; before the new one is there, or a collection could find it old.
      await touchIfThere(found, await now())
      const failure = await link(found, arriving).then(
        () => undefined,
        (error: NodeJS.ErrnoException) => error,
      )
      if (failure === undefined) await takeIn(arriving, blob)
      // For file systems without links.
      else await write(await read(key))
    },

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

    findOwner: async () => (await readIfThere(owner))?.trim(),

    async setOwner(id) {
      const arriving = join(temporary, newId())
      await folders.ensure(temporary)
      await writeText(arriving, `${id}\n`, { mode: 0o600, flush: true })
      await rename(arriving, owner)
      await syncFolder(top)
    },
  }
}

function createFlaws(
  folder: string,
  ensure: (folder: string) => Promise<void>,
): BlobFlaws & { has(key: string): Promise<boolean> } {
  return {
    has: async (key) => (await statIfThere(join(folder, key))) !== undefined,
    async mark(key) {
      if (!isBlobKey(key)) return
      await ensure(folder)
      await writeText(join(folder, key), '', { mode: 0o600 })
    },
    async clear(key) {
      if (isBlobKey(key)) await rm(join(folder, key), { force: true })
    },
    async *list() {
      yield* (await namesIn(folder)).filter(isBlobKey)
    },
  }
}

function placeBelow(root: string, key: string): string {
  return join(root, key.slice(0, 2), key.slice(2, 4), key)
}

async function findFile(places: readonly string[]): Promise<{ readonly path: string; readonly length: number } | undefined> {
  for (const path of places) {
    const stats = await statIfThere(path)
    if (stats !== undefined) return { path, length: stats.size }
  }
  return undefined
}

async function readIfThere(path: string): Promise<string | undefined> {
  const file = await openIfThere(path)
  if (file === undefined) return undefined
  try {
    return await readFile(file, 'utf8')
  } finally {
    await file.close()
  }
}

// Each look waits behind the writes of others for one of few threads: one after the other they would wait each time.
const looksAtOnce = 64

async function* listBelow(root: string, digits: string): AsyncGenerator<ListedBlob> {
  const isWanted = (key: string) => key.startsWith(digits.slice(0, key.length))
  const levelsIn = async (above: string) =>
    (await namesIn(join(root, above))).filter((name) => isLevel(name) && isWanted(above + name)).map((name) => above + name)
  for (const firsts of inLots(await levelsIn(''))) {
    const seconds = (await Promise.all(firsts.map(levelsIn))).flat()
    for (const lot of inLots(seconds)) {
      const folders = lot.map((level) => join(root, level.slice(0, 2), level.slice(2)))
      yield* (await Promise.all(folders.map((folder) => listFolder(folder, isWanted)))).flat()
    }
  }
}

function* inLots<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += looksAtOnce) yield items.slice(start, start + looksAtOnce)
}

async function listFolder(folder: string, isWanted: (key: string) => boolean): Promise<readonly ListedBlob[]> {
  const keys = (await namesIn(folder)).filter((name) => isBlobKey(name) && isWanted(name))
  const files = await Promise.all(keys.map(async (key) => ({ key, stats: await statIfThere(join(folder, key)) })))
  return files.flatMap(({ key, stats }) => (stats === undefined ? [] : { key, length: stats.size, touched: stats.mtime }))
}

function isLevel(name: string): boolean {
  return /^[0-9a-f]{2}$/.test(name)
}
