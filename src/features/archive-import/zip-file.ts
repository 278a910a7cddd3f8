import type { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import { firstBytes } from '../../base/first-bytes.ts'
import { defineProblem } from '../../base/problem.ts'
import type { FileToImport } from '../../core/file-imports/importer.ts'
import { ZipReader } from './zip-reader.ts'

export const archiveNotImportable = defineProblem(
  'archiveNotImportable',
  'invalid',
  (of: { name: string; reason: string }) => `The archive ${of.name.slice(0, 200)} cannot be imported: ${of.reason}.`,
)

export interface ArchiveLimits {
  readonly maxEntries: number
  /** Of all entries together, unpacked. */
  readonly maxBytes: number
}

/** The entries of an archive, of which nothing is read that is not asked for. */
export interface OpenArchive {
  readonly names: ReadonlySet<string>
  /** Undefined when there is none. The caller reads the stream to its end or destroys it. @throws archiveNotImportable */
  open(name: string): Promise<Readable | undefined>
  /** @throws archiveNotImportable when it is longer than that */
  readText(name: string, maxBytes: number): Promise<string | undefined>
  /** @throws archiveNotImportable */
  refuse(reason: string, cause?: unknown): never
}

export type ZippedFile = Pick<FileToImport, 'name' | 'length' | 'read'>

/**
 * Opens an archive wherever its bytes are. Undefined when it is none, or when its names do not say that it is for the caller: such a file
 * may be as large as it likes, and damaged in any way. @throws archiveNotImportable
 */
export async function openArchive(
  file: ZippedFile,
  { maxEntries, maxBytes }: ArchiveLimits,
  isMeant: (archive: Pick<OpenArchive, 'names'>) => boolean,
): Promise<OpenArchive | undefined> {
  const refuse = (reason: string, cause?: unknown): never => {
    throw archiveNotImportable({ name: file.name, reason }, { cause })
  }
  const zip = await openZip(file)
  if (zip === undefined) return undefined
  const { entries, damage } = await listEntries(zip, maxEntries)
  const archive = new Archive(zip, entries, refuse)
  if (!isMeant(archive)) return undefined
  if (zip.entryCount > maxEntries) refuse(`it has more than ${maxEntries} entries`)
  if (damage !== undefined) refuse('its directory is damaged, or names places outside of it', damage)
  let [bytes, packed] = [0, 0]
  for (const { uncompressedSize, compressedSize } of entries.values()) {
    bytes += uncompressedSize
    packed += compressedSize
  }
  if (packed > file.length) refuse('its entries lie over each other, so that it would become far larger')
  if (bytes > maxBytes) refuse(`it has more than ${maxBytes} bytes when it is unpacked`)
  return archive
}

class Archive implements OpenArchive {
  readonly names: ReadonlySet<string>
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly refuse: OpenArchive['refuse']

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, refuse: OpenArchive['refuse']) {
    this.names = new Set(entries.keys())
    this.#zip = zip
    this.#entries = entries
    this.refuse = refuse
  }

  async open(name: string): Promise<Readable | undefined> {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    try {
      const stream = await this.#zip.openReadStreamPromise(entry)
      // It flows before its reader listens, and without a listener what fails then ends the process; who reads is told all the same.
      return stream.on('error', () => {})
    } catch (error) {
      return this.refuse(`${name.slice(0, 200)} in it is damaged or encrypted`, error)
    }
  }

  async readText(name: string, maxBytes: number): Promise<string | undefined> {
    const stream = await this.open(name)
    if (stream === undefined) return undefined
    try {
      const { bytes, isCut } = await firstBytes(stream, maxBytes)
      if (isCut) this.refuse(`${name.slice(0, 200)} in it has more than ${maxBytes} bytes`)
      return new TextDecoder('utf-8').decode(bytes)
    } catch (error) {
      if (archiveNotImportable.is(error)) throw error
      return this.refuse(`${name.slice(0, 200)} in it is damaged`, error)
    } finally {
      stream.destroy()
    }
  }
}

/** What claims to be an archive and is none may still be a file. */
async function openZip(file: ZippedFile): Promise<ZipFile | undefined> {
  try {
    return await fromRandomAccessReaderPromise(new ZipReader(file), file.length, { lazyEntries: true, autoClose: false })
  } catch {
    return undefined
  }
}

interface Listed {
  readonly entries: ReadonlyMap<string, Entry>
  /** What ended the list before its end. */
  readonly damage?: unknown
}

/** The first of them, as far as they can be read. */
async function listEntries(zip: ZipFile, maxEntries: number): Promise<Listed> {
  const entries = new Map<string, Entry>()
  let read = 0
  try {
    for await (const entry of zip.eachEntry()) {
      // Of two with one name the first counts.
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
      if (++read >= maxEntries) break
    }
  } catch (damage) {
    return { entries, damage }
  }
  return { entries }
}
