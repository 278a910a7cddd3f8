import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../faults/kill/random.ts'
import { type Batch, type Content, chunkOf, type Journal, type SentFile } from './journal.ts'

/** An answer with what tests look at; undefined when there was none. */
export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely, and a wrong guess fails the test
  readonly body: any
}

type Body = Exclude<RequestInit['body'], undefined>

const authorization = `Basic ${btoa('Administrator:Administrator')}`

/** Sends a request; undefined when the server was gone before it answered. `path` is below `/api/v1`. */
export async function ask(
  url: string,
  method: string,
  path: string,
  options: { readonly headers?: { readonly [name: string]: string }; readonly body?: Body } = {},
): Promise<Answered | undefined> {
  const { headers, body = null } = options
  try {
    const response = await fetch(new URL(`api/v1${path}`, url), {
      method,
      headers: { authorization, ...headers },
      body,
      duplex: 'half',
    })
    const text = await response.text()
    return { status: response.status, body: parsed(text) }
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Fails with the answer when it is another than these; an answer that never came is none of them, and no failure. */
export function requireOneOf<Given extends Answered | undefined>(
  what: string,
  statuses: readonly number[],
  answer: Given,
): Given {
  if (answer === undefined || statuses.includes(answer.status)) return answer
  throw new Error(`${what} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

export async function openBatch(url: string, journal: Journal): Promise<Batch | undefined> {
  const answer = requireOneOf('a new batch', [201], await ask(url, 'POST', '/upload'))
  if (answer === undefined) return undefined
  const batch = { id: String(answer.body.batchId), files: [] }
  journal.batches.add(batch)
  return batch
}

const contents = 400

/** Some come again and again, so that bytes which are there already, or are just being collected, are sent anew. */
export function anyContent(random: Random): Content {
  const seed = random.between(1, contents)
  const scale = seed % 10 === 0 ? 3_000_000 : seed % 10 === 1 ? 50 : 300_000
  return { seed, length: (seed * 7919) % scale }
}

/** Adds a file to a batch, at once or in chunks and these in any order. Gives whether all of it was acknowledged. */
export async function sendFile(url: string, journal: Journal, batch: Batch, random: Random): Promise<boolean> {
  const content = anyContent(random)
  const isChunked = random.next() < 0.6
  const file: SentFile = {
    content,
    kind: isChunked ? 'chunked' : 'normal',
    chunkCount: isChunked ? random.between(1, 7) : 1,
    sent: new Set(),
    acknowledged: new Set(),
  }
  batch.files.push(file)
  const chunks = shuffled(
    Array.from({ length: file.chunkCount }, (_, chunk) => chunk),
    random,
  )
  const isSlow = random.next() < 0.3
  for (const chunk of chunks) if (!(await sendChunk(url, journal, batch, file, chunk, isSlow))) return false
  return true
}

/** Gives whether it was acknowledged. */
export async function sendChunk(
  url: string,
  journal: Journal,
  batch: Batch,
  file: SentFile,
  chunk: number,
  isSlow = false,
): Promise<boolean> {
  const { content, kind, chunkCount, sent, acknowledged } = file
  const index = batch.files.indexOf(file)
  sent.add(chunk)
  const headers = {
    'content-type': 'application/octet-stream',
    'x-file-name': `file-${content.seed}.bin`,
    'x-file-size': String(content.length),
    'x-upload-type': kind,
    ...(kind === 'chunked' && { 'x-upload-chunk-index': String(chunk), 'x-upload-chunk-count': String(chunkCount) }),
  }
  const bytes = chunkOf(file, chunk)
  const body = isSlow ? ReadableStream.from(dripping(bytes)) : bytes
  const isLast = acknowledged.size === chunkCount - 1
  const answer = await ask(url, 'POST', `/upload/${batch.id}/${index}`, { headers, body })
  if (requireOneOf(`chunk ${chunk} of ${chunkCount}`, [isLast ? 201 : 202], answer) === undefined) return false
  acknowledged.add(chunk)
  journal.acknowledged += 1
  return true
}

const dropBytes = 64 * 1024

/** As over a network that is slower than the disk, so that there is time to be killed in the middle of a body. */
async function* dripping(bytes: Buffer<ArrayBuffer>): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += dropBytes) {
    yield bytes.subarray(start, start + dropBytes)
    await pause(2)
  }
}

function shuffled(items: readonly number[], random: Random): readonly number[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item)
}
