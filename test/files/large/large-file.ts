import { createRandom, type Random } from '../../faults/kill/random.ts'
import { seededBytes } from '../../support/seeded-bytes.ts'

/** A file whose bytes follow from its seed, so that it is nowhere but on the server. */
export interface LargeFile {
  readonly seed: number
  readonly length: number
  readonly chunkBytes: number
}

interface Part {
  readonly start: number
  readonly length: number
}

// Making bytes and digests keeps this process busy for seconds. The server may close an idle connection meanwhile, which would
// not be noticed before the next request was sent over it: so each has one of its own.
const ownHeaders = { authorization: `Basic ${btoa('Administrator:Administrator')}`, connection: 'close' }
const atOnce = 3

/** Uploads the file in chunks, several at once and in no order, and makes a document of it. Gives the id and the digest that it has. */
export async function uploadInChunks(url: string, file: LargeFile): Promise<{ readonly id: string; readonly digest: string }> {
  const { batchId } = await read(await call(url, '/upload', 201, { method: 'POST' }))
  const chunks = partsOf(file.length, () => file.chunkBytes)
  const statuses = await inNoOrder(chunks, createRandom(file.seed), async ({ start, length }, index) => {
    const headers = {
      'x-file-name': 'large.bin',
      'x-file-type': 'application/x-large',
      'x-file-size': String(file.length),
      'x-upload-type': 'chunked',
      'x-upload-chunk-index': String(index),
      'x-upload-chunk-count': String(chunks.length),
    }
    const request = { method: 'POST', headers, body: seededBytes(file.seed, start, length) }
    const answer = await call(url, `/upload/${batchId}/0`, [201, 202], request)
    await answer.body?.cancel()
    return answer.status
  })
  if (statuses.filter((status) => status === 201).length !== 1) throw new Error(`The chunks were answered with ${statuses}.`)
  const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name: `large-${file.seed}`, properties })
  const headers = { 'content-type': 'application/json', properties: 'file' }
  const document = await read(await call(url, '/path/default-domain/workspaces', 201, { method: 'POST', headers, body }))
  return { id: document.uid, digest: document.properties['file:content'].digest }
}

/** Downloads the file in ranges of all sizes, several at once and in no order. @throws Error at the first byte that is another. */
export async function downloadInRanges(url: string, id: string, file: LargeFile): Promise<void> {
  const random = createRandom(file.seed)
  const ranges = partsOf(file.length, () => random.between(1, 2 * file.chunkBytes))
  await inNoOrder(ranges, random, async ({ start, length }) => {
    const headers = { range: `bytes=${start}-${start + length - 1}` }
    await compare(await call(url, `/id/${id}/@blob/file:content`, 206, { headers }), file, { start, length })
  })
}

/** Downloads it at one go. @throws Error at the first byte that is another. */
export async function downloadWhole(url: string, id: string, file: LargeFile): Promise<void> {
  await compare(await call(url, `/id/${id}/@blob/file:content`, 200), file, { start: 0, length: file.length })
}

async function compare(answer: Response, { seed }: LargeFile, { start, length }: Part): Promise<void> {
  let at = start
  for await (const piece of answer.body ?? []) {
    if (!seededBytes(seed, at, piece.length).equals(piece))
      throw new Error(`The file is another within ${piece.length} bytes from ${at}.`)
    at += piece.length
  }
  if (at !== start + length) throw new Error(`The answer ends at ${at}; ${length} bytes from ${start} were asked for.`)
}

function partsOf(length: number, nextBytes: () => number): readonly Part[] {
  const parts: Part[] = []
  for (let start = 0; start < length; ) {
    const part = { start, length: Math.min(nextBytes(), length - start) }
    parts.push(part)
    start += part.length
  }
  return parts
}

async function inNoOrder<Result>(
  parts: readonly Part[],
  random: Random,
  work: (part: Part, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const waiting = [...parts.entries()]
  const results: Result[] = []
  const workOn = async () => {
    while (waiting.length > 0) {
      const [[index, part]] = waiting.splice(random.between(0, waiting.length), 1) as [[number, Part]]
      results.push(await work(part, index))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, workOn))
  return results
}

async function call(
  url: string,
  path: string,
  expected: number | readonly number[],
  request: RequestInit = {},
): Promise<Response> {
  const headers = { ...ownHeaders, ...(request.headers as { [name: string]: string } | undefined) }
  const answer = await fetch(new URL(`api/v1${path}`, url), { ...request, headers })
  if ([expected].flat().includes(answer.status)) return answer
  throw new Error(`${request.method ?? 'GET'} ${path} was answered with ${answer.status}: ${await answer.text()}`)
}

// biome-ignore lint/suspicious/noExplicitAny: a wrong guess about an answer fails the test
async function read(answer: Response): Promise<any> {
  return answer.json()
}
