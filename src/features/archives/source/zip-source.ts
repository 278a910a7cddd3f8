import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { archiveDamaged, archiveUnsafe } from '../format/archive-problems.ts'
import { keyOfFile } from '../format/archived-files.ts'
import { type ArchiveSource, notAnArchive } from './archive-source.ts'

/** Parts and the manifest; everything else is a file or not ours. */
const maxNamed = 100
const fileKind = 0o170000
const ordinaryFile = 0o100000

/**
 * An archive that may have been made to do harm. Its directory is read from end to end first: entries that are links, encrypted, named
 * like places outside of it, or lie over each other are refused, the last of which is what makes a small archive burst. Nothing is ever
 * written by the name that an entry has. That an entry becomes no longer than it says, the reader sees to while it inflates.
 * @throws notAnArchive, archiveUnsafe
 */
export async function openZipSource(path: string, length: number): Promise<ArchiveSource> {
  const zip = await open(path)
  const named = new Map<string, Entry>()
  let packed = 0
  try {
    for await (const entry of entriesOf(zip)) {
      requireSafe(entry)
      packed += entry.compressedSize
      if (keyOfFile(entry.fileName) === undefined && !named.has(entry.fileName) && named.size < maxNamed)
        named.set(entry.fileName, entry)
    }
    if (packed > length) throw archiveUnsafe({ reason: 'its entries lie over each other, so that it would become far larger' })
  } catch (error) {
    zip.close()
    throw error
  }
  return {
    async open(name) {
      const entry = named.get(name)
      return entry && streamOf(zip, entry)
    },
    async *files() {
      const again = await open(path)
      try {
        for await (const entry of entriesOf(again)) {
          const key = keyOfFile(entry.fileName)
          // By the first one: who takes the last entry may read it when this way through the directory has ended.
          if (key !== undefined) yield { key, length: entry.uncompressedSize, open: () => streamOf(zip, entry) }
        }
      } finally {
        again.close()
      }
    },
    close: async () => zip.close(),
  }
}

async function open(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false })
  } catch (cause) {
    throw notAnArchive({ path, reason: 'it is no ZIP file, or its end is missing' }, { cause })
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    for await (const entry of zip.eachEntry()) yield entry
  } catch (cause) {
    throw archiveUnsafe({ reason: 'its directory is damaged, or names places outside of it' }, { cause })
  }
}

function requireSafe(entry: Entry): void {
  const name = entry.fileName.slice(0, 200)
  if (entry.isEncrypted()) throw archiveUnsafe({ reason: `${name} in it is encrypted` })
  const mode = (entry.externalFileAttributes >>> 16) & fileKind
  const isFolder = entry.fileName.endsWith('/')
  if (mode !== 0 && mode !== ordinaryFile && !isFolder) throw archiveUnsafe({ reason: `${name} in it is a link or no file` })
}

async function streamOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  try {
    const stream = await zip.openReadStreamPromise(entry)
    // It flows before its reader listens; who reads is told of what went wrong all the same.
    return stream.on('error', () => {})
  } catch (cause) {
    throw archiveDamaged({ place: entry.fileName.slice(0, 200), reason: 'it cannot be unpacked' }, { cause })
  }
}
