import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Problem } from '../../../base/problem.ts'
import { archiveDamaged } from './archive-problems.ts'
import type { ArchivePartFacts } from './manifest.ts'

/** Longer than a document can be whose properties are as large as they may be. */
const maxLineBytes = 64 * 1024 ** 2
const bytesAtOnce = 128 * 1024
const newline = 0x0a

export interface WrittenPart {
  /** The bytes of the part; its facts are known when the last was taken. */
  bytes(): AsyncGenerator<Buffer>
  facts(): ArchivePartFacts
}

/** Lines as the bytes of a part, counted and digested on their way. */
export function writePart(lines: AsyncIterable<readonly string[]>): WrittenPart {
  const hash = createHash('sha256')
  let [count, length, sha256] = [0, 0, '']
  const pass = (chunk: Buffer) => {
    hash.update(chunk)
    length += chunk.length
    return chunk
  }
  return {
    async *bytes() {
      let pending = ''
      for await (const some of lines) {
        for (const line of some) {
          pending += `${line}\n`
          count += 1
        }
        if (pending.length < bytesAtOnce) continue
        yield pass(Buffer.from(pending))
        pending = ''
      }
      if (pending !== '') yield pass(Buffer.from(pending))
      sha256 = hash.digest('hex')
    },
    facts: () => ({ lines: count, bytes: length, sha256 }),
  }
}

/** A line and where it stands: `documents.jsonl, line 7`. */
export interface PlacedLine {
  readonly text: string
  readonly place: string
  /** From 0 on. */
  readonly index: number
}

/**
 * The lines of a part, some at a time. What was read before the end may be wrong: only the end tells that all was as it had been written.
 * @throws archiveDamaged
 */
export async function* readPart(
  content: Readable,
  name: string,
  expected: ArchivePartFacts,
): AsyncGenerator<readonly PlacedLine[]> {
  const hash = createHash('sha256')
  let index = 0
  const placed = (bytes: Buffer): PlacedLine => {
    const place = `${name}, line ${index + 1}`
    return { text: decoded(bytes, place), place, index: index++ }
  }
  let rest: Buffer[] = []
  let restLength = 0
  const damaged = (reason: string, cause?: unknown) => archiveDamaged({ place: name, reason }, { cause })
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      hash.update(chunk)
      const found: PlacedLine[] = []
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        found.push(placed(restLength === 0 ? chunk.subarray(start, end) : Buffer.concat([...rest, chunk.subarray(start, end)])))
        ;[rest, restLength, start] = [[], 0, end + 1]
      }
      rest.push(Buffer.from(chunk.subarray(start)))
      restLength += chunk.length - start
      if (restLength > maxLineBytes) throw damaged(`line ${index + 1} has more than ${maxLineBytes} bytes`)
      if (found.length > 0) yield found
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw damaged('it cannot be unpacked, or has another length than it says', error)
  }
  if (restLength > 0 || index !== expected.lines) throw damaged(`it has ${index} whole lines, and had ${expected.lines}`)
  if (hash.digest('hex') !== expected.sha256) throw damaged('its digest is another one')
}

const charactersInBatch = 4_000_000

/** As many lines at a time, or fewer long ones; a part is read in pieces of any size. */
export async function* inBatches(
  pages: AsyncIterable<readonly PlacedLine[]>,
  lines: number,
): AsyncGenerator<readonly PlacedLine[]> {
  let batch: PlacedLine[] = []
  let characters = 0
  for await (const page of pages) {
    for (const line of page) {
      batch.push(line)
      characters += line.text.length
      if (batch.length < lines && characters < charactersInBatch) continue
      yield batch
      ;[batch, characters] = [[], 0]
    }
  }
  if (batch.length > 0) yield batch
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decoded(bytes: Buffer, place: string): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw archiveDamaged({ place, reason: 'it is no text in UTF-8' }, { cause })
  }
}
