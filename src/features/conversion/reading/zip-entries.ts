import { once } from 'node:events'
import { text as streamText } from 'node:stream/consumers'
import { type Entry, fromBuffer, getFileNameLowLevel, type Options, open, validateFileName, type ZipFile } from 'yauzl'
import { ConversionRefusal } from '../../../core/conversion/converter.ts'

/** The entries of a zip archive, which most office files are. Nothing is read that is not asked for. */
export interface ZipEntries {
  readonly names: readonly string[]
  /** Undefined when there is none. @throws ConversionRefusal when it is larger than it may be, or damaged */
  text(name: string): Promise<string | undefined>
  bytes(name: string): Promise<Buffer | undefined>
  close(): void
}

// More than any real document has in one part of it; what bursts open beyond this was made to.
const maxEntryBytes = 64 * 1024 ** 2
const maxBytesTogether = 256 * 1024 ** 2

export interface ZipToOpen {
  /** Where the archive lies, or itself. */
  readonly source: { readonly path: string } | { readonly bytes: Buffer }
  readonly limits: { readonly entries: number; readonly unpackedBytes?: number }
}

/** @throws ConversionRefusal */
export async function openZip({ source, limits }: ZipToOpen): Promise<ZipEntries> {
  const file = await opened(source)
  const entries = await listEntries(file, limits.entries)
  let left = limits.unpackedBytes ?? maxBytesTogether

  async function read<Result>(
    name: string,
    take: (stream: NodeJS.ReadableStream) => Promise<Result>,
  ): Promise<Result | undefined> {
    const entry = entries.get(name)
    if (entry === undefined) return undefined
    left -= entry.uncompressedSize
    if (entry.uncompressedSize > maxEntryBytes || left < 0) throw burst()
    try {
      return await take(await openEntry(file, entry))
    } catch (error) {
      throw error instanceof ConversionRefusal ? error : damaged(error)
    }
  }

  return {
    names: [...entries.keys()],
    text: (name) => read(name, (stream) => streamText(stream as NodeJS.ReadableStream & AsyncIterable<Buffer>)),
    bytes: (name) =>
      read(name, async (stream) => {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        return Buffer.concat(chunks)
      }),
    close: () => file.close(),
  }
}

// Names are read below: the reader itself gives up the whole archive for one that leads out of it.
const reading = { lazyEntries: true, autoClose: false, validateEntrySizes: true, decodeStrings: false } satisfies Options

function opened(source: ZipToOpen['source']): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>()
  const take = (error: Error | null, file: ZipFile) => (error === null ? resolve(file) : reject(damaged(error)))
  if ('path' in source) open(source.path, reading, take)
  else fromBuffer(source.bytes, reading, take)
  return promise
}

/** Where it lies in the archive; undefined where that is outside of it: such entries are left out. */
function findPlace({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string | undefined {
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  return validateFileName(name) === null ? name : undefined
}

async function listEntries(file: ZipFile, maxEntries: number): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  if (file.entryCount > maxEntries) throw tooMany(maxEntries)
  // Rejects with what is wrong when the file says so.
  const ended = once(file, 'end')
  file.on('entry', (entry: Entry) => {
    const name = findPlace(entry)
    // Of two with one name, readers of office files take the first.
    if (name !== undefined && !entries.has(name)) entries.set(name, entry)
    if (entries.size > maxEntries) file.emit('error', tooMany(maxEntries))
    else file.readEntry()
  })
  file.readEntry()
  await ended.catch((error) => Promise.reject(damaged(error)))
  return entries
}

function openEntry(file: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream> {
  const { promise, resolve, reject } = Promise.withResolvers<NodeJS.ReadableStream>()
  file.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)))
  return promise
}

const burst = () => new ConversionRefusal('What is packed in it is too large when it is unpacked.', { isTooLarge: true })
const tooMany = (max: number) => new ConversionRefusal(`It has more than ${max} entries.`, { isTooLarge: true })
const damaged = (cause: unknown) =>
  cause instanceof ConversionRefusal ? cause : new ConversionRefusal('It is damaged, or not what its type says.', { cause })
