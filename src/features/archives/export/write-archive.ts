import { Buffer } from 'node:buffer'
import { createWriteStream } from 'node:fs'
import { link, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeZip, type ZipEntry } from '../../../base/zip/write-zip.ts'
import type { Directories } from '../../../core/directories/directories.ts'
import type { Repository } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { blobsIn } from '../../../model/properties/property.ts'
import { type BlobStore, blobDamaged, blobMissing } from '../../../store/blobs/blob-store.ts'
import type { Snapshot } from '../../../store/snapshot.ts'
import { entriesAbout, everyEntry } from '../../audit/index.ts'
import { archiveExists } from '../format/archive-problems.ts'
import { fileNameOf } from '../format/archived-files.ts'
import { type DocumentLine, lineOf } from '../format/document-line.ts'
import { type Manifest, manifestName, manifestText, type PartName, partNames } from '../format/manifest.ts'
import { type WrittenPart, writePart } from '../format/part-lines.ts'
import { everyExported } from './exported-documents.ts'
import { everyEntryLine } from './exported-people.ts'
import { createSpool, type Spool } from './spool.ts'

export interface ArchiveExport {
  readonly repository: Repository
  readonly snapshot: Snapshot
  /** Of the whole repository, or of a tree. */
  readonly root: Document
  /** With the database that they are in; absent where people do not come along. */
  readonly people?: { readonly directories: Directories; readonly snapshot: Snapshot }
  /** Must not exist. */
  readonly path: string
  readonly program: string
  onDocuments?(count: number): void
  onFile?(bytes: number): void
  /** @throws */
  checkStop?(): void
}

/** Writes the archive beside its place, and puts it there when it is whole. */
export async function writeArchive(wanted: ArchiveExport): Promise<Manifest> {
  // A folder of its own, for nobody else to write to: other exports to the same name, or links that wait for this one.
  const workplace = await mkdtemp(`${wanted.path}.`)
  const unfinished = join(workplace, 'archive')
  const writing = new Writing(wanted, await createSpool(join(workplace, 'files')), await createSpool(join(workplace, 'audit')))
  try {
    await pipeline(inLargePieces(writeZip(writing.entries())), createWriteStream(unfinished, { mode: 0o600, flush: true }))
    await putInPlace(unfinished, wanted.path)
    return writing.manifest()
  } finally {
    await writing.end()
    await rm(workplace, { recursive: true, force: true })
  }
}

/** Takes no other archive's place that came meanwhile. @throws archiveExists */
async function putInPlace(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw archiveExists({ path }, { cause: error })
    await rename(unfinished, path) // a file system without links
  }
}

const pieceBytes = 256 * 1024

/** Thousands of short files would be written record by record. */
async function* inLargePieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    piece.push(chunk)
    length += chunk.length
    if (length < pieceBytes) continue
    yield Buffer.concat(piece)
    ;[piece, length] = [[], 0]
  }
  yield Buffer.concat(piece)
}

/** What text is shorter for. */
const isText = /^text\/|[/+](?:xml|json)$/
/** Only writing it tells how long a part becomes. */
const unknownLength = Number.MAX_SAFE_INTEGER

class Writing {
  readonly #wanted: ArchiveExport
  readonly #files: Spool
  readonly #audit: Spool
  // A file is named by 64 digits, of which half tell it from others: 50 MB for a million.
  readonly #seen = new Set<string>()
  readonly #parts = new Map<PartName, WrittenPart>()
  readonly #missing: string[] = []
  readonly #made: string
  #count = 0
  #bytes = 0

  constructor(wanted: ArchiveExport, files: Spool, audit: Spool) {
    this.#wanted = wanted
    this.#files = files
    this.#audit = audit
    this.#made = wanted.repository.now()
  }

  async *entries(): AsyncGenerator<ZipEntry> {
    const { root, people, snapshot } = this.#wanted
    yield this.#part('documents', this.#documentLines())
    if (people !== undefined) yield this.#part('people', everyEntryLine(people.directories, people.snapshot.directories))
    yield this.#part('audit', root.path === '/' ? auditLines(snapshot) : this.#audit.lines())
    yield* this.#fileEntries()
    const manifest = Buffer.from(manifestText(this.manifest()))
    yield this.#entry(manifestName, manifest.length, async () => Readable.from([manifest]))
  }

  manifest(): Manifest {
    const { program, repository, root } = this.#wanted
    const parts = [...this.#parts].map(([name, part]) => [name, part.facts()])
    return {
      program,
      made: this.#made,
      repository: repository.name,
      root: { uid: root.id, path: root.path ?? '' },
      parts: Object.fromEntries(parts),
      files: { count: this.#count, bytes: this.#bytes, missing: this.#missing },
    }
  }

  async end(): Promise<void> {
    await this.#files.remove()
    await this.#audit.remove()
  }

  #entry(name: string, length: number, open: () => Promise<Readable>, isCompressed = false): ZipEntry {
    return { name, modified: new Date(this.#made), content: { length, open, isCompressed } }
  }

  #part(name: PartName, lines: AsyncIterable<readonly string[]>): ZipEntry {
    const part = writePart(lines)
    this.#parts.set(name, part)
    return this.#entry(partNames[name], unknownLength, async () => Readable.from(part.bytes()))
  }

  async *#documentLines(): AsyncGenerator<readonly string[]> {
    const { repository, snapshot, root, onDocuments, checkStop } = this.#wanted
    for await (const page of everyExported(snapshot.documents, root, repository.model)) {
      checkStop?.()
      for (const { document } of page) await this.#noteFiles(document)
      if (root.path !== '/') await this.#noteHistory(page)
      yield page.map(lineOf)
      onDocuments?.(page.length)
    }
  }

  /** Files come in the order in which documents name them first. */
  async #noteFiles({ properties }: DocumentLine['document']): Promise<void> {
    for (const { key, length, 'mime-type': mimeType } of Object.values(properties).flatMap(blobsIn)) {
      const half = key.slice(0, 32)
      if (this.#seen.has(half)) continue
      this.#seen.add(half)
      await this.#files.add(`${key} ${length} ${isText.test(mimeType ?? '') ? 'text' : 'bytes'}`)
    }
  }

  async #noteHistory(page: readonly DocumentLine[]): Promise<void> {
    const ids = page.filter(({ part }) => part !== 'place' && part !== 'shown').map(({ document }) => document.id)
    for (const entry of await entriesAbout(this.#wanted.snapshot.tables, ids)) await this.#audit.add(JSON.stringify(entry))
  }

  async *#fileEntries(): AsyncGenerator<ZipEntry> {
    const { repository, checkStop, onFile } = this.#wanted
    for await (const lines of this.#files.lines()) {
      for (const line of lines) {
        checkStop?.()
        const [key = '', length = '', kind] = line.split(' ')
        const bytes = Number(length)
        const content = await findFile(repository.blobs, key, bytes)
        if (content === undefined) {
          this.#missing.push(key)
          continue
        }
        yield this.#entry(fileNameOf(key), bytes, async () => content, kind !== 'text')
        this.#count += 1
        this.#bytes += bytes
        onFile?.(bytes)
      }
    }
  }
}

async function* auditLines({ tables }: Snapshot): AsyncGenerator<readonly string[]> {
  for await (const entries of everyEntry(tables)) yield entries.map((entry) => JSON.stringify(entry))
}

/** One that is not there, or no more what it was, is told of at the end: the others are worth having. */
async function findFile(blobs: BlobStore, key: string, length: number): Promise<Readable | undefined> {
  try {
    return await blobs.read(key, undefined, length)
  } catch (error) {
    if (blobMissing.is(error) || blobDamaged.is(error)) return undefined
    throw error
  }
}
