import { ConversionRefusal } from '../../../core/conversion/converter.ts'

/** The streams of a compound file, in which office programs before 2007 stored documents ([MS-CFB]). */
export interface CompoundFile {
  /** By its name, wherever it is; undefined when there is none. */
  stream(name: string): Buffer | undefined
}

const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const headerBytes = 512
const entryBytes = 128
const endOfChain = 0xff_ff_ff_fe
const maxSector = 0xff_ff_ff_fa
const noEntry = 0xff_ff_ff_ff

/** @throws ConversionRefusal when it is none, or damaged */
export function readCompoundFile(bytes: Buffer): CompoundFile {
  const { entries, smallLimit, table, sector, chain, root } = openCompoundFile(bytes)
  const smallBytes = 1 << checked(bytes.readUInt16LE(32), 4, 12)
  const smallTable = numbersIn(chainIfAny(bytes.readUInt32LE(60), (first) => chain(first, table, sector)))
  const smallStream = root === undefined ? Buffer.alloc(0) : chainIfAny(root.start, (first) => chain(first, table, sector))
  const small = (number: number) => smallStream.subarray(number * smallBytes, (number + 1) * smallBytes)
  return {
    stream(name) {
      const entry = entries.find((one) => one.type === 2 && one.name === name)
      if (entry === undefined) return undefined
      const content = entry.size < smallLimit ? chain(entry.start, smallTable, small) : chain(entry.start, table, sector)
      return content.subarray(0, entry.size)
    },
  }
}

function openCompoundFile(bytes: Buffer) {
  if (bytes.length < headerBytes || !bytes.subarray(0, 8).equals(signature)) throw damaged()
  const sectorBytes = 1 << checked(bytes.readUInt16LE(30), 7, 16)
  const smallLimit = bytes.readUInt32LE(56)
  const sector = (number: number) => {
    const start = (number + 1) * sectorBytes
    if (number > maxSector || start + sectorBytes > bytes.length + sectorBytes - 1) throw damaged()
    return bytes.subarray(start, start + sectorBytes)
  }
  const table = readTable(bytes, sector, sectorBytes)
  const chain = (first: number, next: readonly number[], part: (number: number) => Buffer): Buffer => {
    const parts: Buffer[] = []
    for (let number = first; number !== endOfChain; number = next[number] ?? endOfChain) {
      // A chain that is longer than all there is comes back to itself.
      if (parts.length > next.length) throw damaged()
      parts.push(part(number))
    }
    return Buffer.concat(parts)
  }
  const directory = chain(bytes.readUInt32LE(48), table, sector)
  const entries = listEntries(directory)
  return { entries, smallLimit, table, sector, chain, root: entries.find(({ type }) => type === 5) }
}

// What all programs write, and a reader may count on.
const usualSectors = [9, 12]
const usualSmallLimit = 4_096

/**
 * For readers that follow whatever a file says: each sector is in one chain, each entry in one place of the tree, and no stream is larger
 * than the file. @throws ConversionRefusal when that is not so
 */
export function requireSoundCompoundFile(bytes: Buffer): void {
  const { entries, smallLimit, table, sector, chain, root } = openCompoundFile(bytes)
  if (!usualSectors.includes(bytes.readUInt16LE(30)) || smallLimit !== usualSmallLimit || root === undefined) throw damaged()
  const smallTable = numbersIn(chainIfAny(bytes.readUInt32LE(60), (first) => chain(first, table, sector)))
  const [seen, seenSmall] = [new Set<number>(), new Set<number>()]
  const follow = (first: number, next: readonly number[], met: Set<number>) => {
    for (let number = first; number <= maxSector; number = next[number] ?? endOfChain) {
      if (met.has(number)) throw damaged()
      met.add(number)
    }
  }
  follow(bytes.readUInt32LE(48), table, seen)
  follow(root.start, table, seen)
  for (const { start, size } of entries.filter((entry) => entry.type === 2 && entry.size > 0)) {
    if (size > bytes.length) throw damaged()
    if (size < smallLimit) follow(start, smallTable, seenSmall)
    else follow(start, table, seen)
  }
  requireTree(entries)
}

function requireTree(entries: readonly Entry[]): void {
  const met = new Set<number>([0])
  const waiting = [entries[0]?.child ?? noEntry]
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (number === noEntry) continue
    const entry = entries[number]
    if (entry === undefined || met.has(number)) throw damaged()
    met.add(number)
    waiting.push(entry.left, entry.right, entry.child)
  }
}

function chainIfAny(first: number, read: (first: number) => Buffer): Buffer {
  return first > maxSector ? Buffer.alloc(0) : read(first)
}

/** Which sector follows which: listed in the header, and in further sectors where the file is large. */
function readTable(bytes: Buffer, sector: (number: number) => Buffer, sectorBytes: number): readonly number[] {
  const places = numbersIn(bytes.subarray(76, headerBytes))
  const perSector = sectorBytes / 4
  let next = bytes.readUInt32LE(68)
  for (let count = 0; next <= maxSector; count += 1) {
    if (count > bytes.length / sectorBytes) throw damaged()
    const more = numbersIn(sector(next))
    places.push(...more.slice(0, perSector - 1))
    next = more[perSector - 1] ?? endOfChain
  }
  const used = places.filter((number) => number <= maxSector)
  if (used.length > bytes.length / sectorBytes) throw damaged()
  return used.flatMap((number) => numbersIn(sector(number)))
}

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4))
}

interface Entry {
  readonly name: string
  readonly type: number
  readonly left: number
  readonly right: number
  readonly child: number
  readonly start: number
  readonly size: number
}

function listEntries(directory: Buffer): readonly Entry[] {
  return Array.from({ length: Math.floor(directory.length / entryBytes) }, (_, index) => {
    const entry = directory.subarray(index * entryBytes, (index + 1) * entryBytes)
    const nameBytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62)
    return {
      name: entry.toString('utf16le', 0, nameBytes),
      type: entry.readUInt8(66),
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    }
  })
}

function checked(value: number, min: number, max: number): number {
  if (value < min || value > max) throw damaged()
  return value
}

function damaged(): ConversionRefusal {
  return new ConversionRefusal('It is damaged, or not what its type says.')
}
