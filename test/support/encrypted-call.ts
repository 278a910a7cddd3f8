import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { type Agent, request } from 'node:https'
import { join } from 'node:path'

const shelf = join(import.meta.dirname, 'tls')

/** Of the authority that has signed the certificate below. */
export const authority = readFileSync(join(shelf, 'ca.pem'))

/** For `localhost`. */
export const certificateFiles = { certificate: join(shelf, 'localhost.pem'), key: join(shelf, 'localhost.key') }

/** Another one, for the same host. */
export const renewedFiles = { certificate: join(shelf, 'renewed.pem'), key: join(shelf, 'renewed.key') }

export interface EncryptedRequest {
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
  readonly agent?: Agent
}

export interface EncryptedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

/** Calls a server over TLS, on a connection of its own unless there is an agent. */
export function callEncrypted(port: number, method: string, path: string, sent: EncryptedRequest): Promise<EncryptedAnswer> {
  const { headers = {}, body, agent = false } = sent
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...{ port, host: '127.0.0.1', servername: 'localhost', ca: authority, method, path, agent },
      headers: { host: `localhost:${port}`, ...headers },
    })
    outgoing.on('error', reject)
    outgoing.on('response', async (response) => {
      try {
        const bytes = Buffer.concat(await response.toArray())
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
      } catch (error) {
        reject(error)
      }
    })
    outgoing.end(body)
  })
}
