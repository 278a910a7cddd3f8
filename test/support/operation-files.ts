import type { TestServer } from '../../src/testing.ts'
import { type Downloaded, download } from './files.ts'
import type { OperationBody } from './operations.ts'
import { assertRefused } from './sent-documents.ts'

/** A file as a client sends it. */
export interface SentFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly type?: string
}

export interface CallOptions {
  readonly user?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Calls an operation on files that come with the request. */
export function callWithFiles(
  server: TestServer,
  id: string,
  files: readonly SentFile[],
  body: OperationBody = {},
  { user = 'Administrator', headers = {} }: CallOptions = {},
): Promise<Downloaded> {
  const form = new FormData()
  form.set('params', new Blob([JSON.stringify(body)], { type: 'application/json' }))
  for (const [index, { name, content, type = 'text/plain' }] of files.entries()) {
    form.set(files.length === 1 ? 'input' : `input#${index}`, new Blob([content as string], { type }), name)
  }
  return download(server, `api/v1/automation/${id}`, { method: 'POST', user, headers, body: form })
}

/** Calls an operation whose answer is a file. */
export function callForFile(server: TestServer, id: string, body: OperationBody, options: CallOptions = {}): Promise<Downloaded> {
  const headers = { 'content-type': 'application/json', ...options.headers }
  return download(server, `api/v1/automation/${id}`, { ...options, method: 'POST', headers, body: JSON.stringify(body) })
}

/** The JSON of an answer. */
export function jsonOf({ text }: Downloaded) {
  return JSON.parse(text)
}

/** Checks for an error with its words, whatever the answer would have been. */
export function assertCallRefused(answer: Omit<Downloaded, 'bytes'>, status: number, message: RegExp): void {
  assertRefused({ ...answer, body: JSON.parse(answer.text) }, status, message)
}
