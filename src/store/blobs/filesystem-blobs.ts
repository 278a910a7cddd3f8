import { constants } from 'node:fs'
import { copyFile, link, open, readFile, rename, rm, writeFile as writeText } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
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
import { blobPlaces } from './filesystem/blob-places.ts'
import { bringBack, findLeavingKey, listLeaving, removeUnlessTouched } from './filesystem/departures.ts'
import { createDurableFolders, receive, syncFolder } from './filesystem/durable-files.ts'
import { explainingStream, explainingWrites, explainReading } from './filesystem/file-problems.ts'
import { namesIn, openIfThere, statIfThere, touchIfThere } from './filesystem/files-if-there.ts'
import { createStoringThread } from './filesystem/storing-thread.ts'

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
  const places = blobPlaces(top)
  const { temporary } = places
  const owner = join(top, 'owner')
  const folders = createDurableFolders(top)
  const store = createStoringThread({ top, digestAlgorithm })
  // Of any size: what comes in meanwhile does not wait for it.
  const storeCopy = createStoringThread({ top, digestAlgorithm })
  const flaws = createFlaws(places.flawed, folders.ensure)

  /** Where it belongs, else on the way out, else where it was put back in between. */
  async function findFirst<Found>(key: string, find: (path: string) => Promise<Found | undefined>): Promise<Found | undefined> {
    if (!isBlobKey(key)) return undefined
    for (const listPlaces of [places.list, (leaving: string) => listLeaving(leaving, temporary), places.list]) {
      for (const path of await listPlaces(key)) {
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

  async function write(...[content, { signal } = {}]: Parameters<BlobStore['write']>): Promise<StoredBlob> {
    const arriving = join(temporary, newId())
    try {
      await explainingWrites(folders.ensure(temporary))
      const received = await receive(arriving, { content, digestAlgorithm, signal })
      return await explainingWrites(store(received))
    } catch (error) {
      await rm(arriving, { force: true }).catch(() => {})
      throw error
    }
  }

  async function writeFile(path: string): Promise<StoredBlob> {
    await explainingWrites(folders.ensure(temporary))
    return explainingWrites(storeCopy({ copied: path }))
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
    await folders.ensure(dirname(places.home(key)))
    await bringBack(path, places.home(key))
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

    async findPath(key, length) {
      const home = places.home(key)
      if (!isBlobKey(key) || (await statIfThere(home))?.size !== length) return undefined
      return relative(top, home).split(sep).join('/')
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
      if (failure === undefined) await store({ blob, arriving })
      // For file systems without links.
      else await write(await read(key))
    },

    async *list(firstDigits = '') {
      yield* listBelow(join(top, 'data'), firstDigits)
      yield* listBelow(top, firstDigits)
    },

    async remove(blob) {
      await folders.ensure(temporary)
      const removals = places.list(blob.key).map((path) => removeUnlessTouched(path, blob, temporary))
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

function createFlaws(folder: string, ensure: (folder: string) => Promise<void>): BlobFlaws {
  return {
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
