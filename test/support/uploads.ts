import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'

type Headers = { readonly [name: string]: string }

/** An upload batch in the hands of a client. */
export interface SentBatch {
  readonly id: string
  /** Sends a file in one piece. */
  send(index: number | string, content: string | Uint8Array, headers?: Headers): Promise<ApiAnswer>
  sendChunk(index: number | string, chunk: SentChunk, headers?: Headers): Promise<ApiAnswer>
  /** Below the batch: `''`, `'/0'`, `'/info'`. */
  get(path?: string): Promise<ApiAnswer>
  delete(path?: string): Promise<ApiAnswer>
  post(path: string, body?: unknown, headers?: Headers): Promise<ApiAnswer>
}

export interface SentChunk {
  readonly at: number | string
  readonly of: number | string
  readonly content: string | Uint8Array
  readonly fileSize?: number | string
}

export async function beginBatch(server: TestServer, user = 'Administrator'): Promise<SentBatch> {
  const { status, body } = await server.as(user).post('/upload')
  assert.equal(status, 201)
  return batchOf(server, body.batchId, user)
}

/** A batch that is there already, as another user or at another server may see it. */
export function batchOf(server: Pick<TestServer, 'as'>, id: string, user = 'Administrator'): SentBatch {
  const caller = server.as(user)
  const send: SentBatch['send'] = (index, body, headers = {}) =>
    caller.call('POST', `api/v1/upload/${id}/${index}`, { headers, body })
  return {
    id,
    send,
    sendChunk: (index, chunk, headers = {}) => send(index, chunk.content, { ...chunkHeaders(chunk), ...headers }),
    get: (path = '') => caller.get(`/upload/${id}${path}`),
    delete: (path = '') => caller.delete(`/upload/${id}${path}`),
    post: (path, body, headers) => caller.post(`/upload/${id}${path}`, body, headers),
  }
}

export function chunkHeaders({ at, of, fileSize = 100 }: Omit<SentChunk, 'content'>): Headers {
  return {
    'X-Upload-Type': 'chunked',
    'X-Upload-Chunk-Index': String(at),
    'X-Upload-Chunk-Count': String(of),
    'X-File-Size': String(fileSize),
  }
}

/** What a document says to get a file of the batch. */
export function fileOf({ id }: Pick<SentBatch, 'id'>, fileId: string | number = '0') {
  return { 'upload-batch': id, 'upload-fileId': fileId }
}

/** Checks the status, and that nothing else was said. */
export function assertEmpty({ status, text, headers }: ApiAnswer, expected: number): void {
  assert.deepEqual([status, text, headers.get('content-type')], [expected, '', null])
}

/** Checks for an error with its words. */
export function assertError({ status, body }: ApiAnswer, expected: number, message: RegExp): void {
  assert.equal(status, expected, JSON.stringify(body))
  assert.deepEqual([body['entity-type'], body.status], ['exception', expected])
  assert.match(body.message, message)
}

/** An upload that is under way, to be gone on with when the test says so. */
export interface SlowUpload {
  write(content: string): void
  /** Sends the last of it and gives the status of the answer. */
  finish(content?: string): Promise<number>
  /** The status of the answer, should one come. */
  finishLater(): Promise<number>
  /** As if the network went. */
  cut(): void
}

/** Begins to send a file; by then the server has begun to receive it. */
export async function beginSlowUpload(
  server: TestServer,
  { id }: Pick<SentBatch, 'id'>,
  index: number,
  headers: Headers = {},
): Promise<SlowUpload> {
  const authorization = `Basic ${btoa('Administrator:Administrator')}`
  const outgoing = request(new URL(`api/v1/upload/${id}/${index}`, server.url), {
    method: 'POST',
    headers: { authorization, expect: '100-continue', 'transfer-encoding': 'chunked', ...headers },
  })
  outgoing.flushHeaders()
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {}) // cut off
  await once(outgoing, 'continue')
  const finishLater = async () => (await answered)[0].resume().statusCode ?? 0
  return {
    write: (content) => void outgoing.write(content),
    finish(content = '') {
      outgoing.end(content)
      return finishLater()
    },
    finishLater,
    cut: () => void outgoing.destroy(),
  }
}
