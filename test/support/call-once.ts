import { type IncomingMessage, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import type { AnswerBody } from '../../src/testing.ts'

export interface AnsweredOnce {
  readonly status: number
  /** JSON where it is that, else the text. */
  readonly body: AnswerBody
}

/**
 * Calls a server over a connection of its own, so that workers which share an address take turns. The password of the user is its
 * name; `path` is below `/api/v1`.
 */
export async function callOnce(url: string, user: string, method: string, path: string, body?: object): Promise<AnsweredOnce> {
  const headers = { 'content-type': 'application/json' }
  const sent = request(new URL(`api/v1${path}`, url), { method, auth: `${user}:${user}`, agent: false, headers })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sent.once('response', resolve)
  sent.once('error', reject)
  const response = await promise
  const isJson = response.headers['content-type']?.startsWith('application/json') ?? false
  return { status: response.statusCode ?? 0, body: isJson ? await json(response) : await text(response) }
}
