import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sendJson, serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface FileSetup {
  /** Where files that are sent go: on the same disk as those of the server. */
  readonly folder: string
  /** Sent to whoever asks. */
  readonly file?: string
}

// Pipes what is sent to disk through the same digests, as durably as the server does, and sends a file to whoever asks for one.
runAsBareProgram(async ({ folder, file }: FileSetup) => {
  await mkdir(folder, { recursive: true })
  const length = file === undefined ? 0 : (await stat(file)).size
  let arrived = 0

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const digests = [createHash('sha256'), createHash('md5')]
    request.on('data', (chunk) => {
      for (const digest of digests) digest.update(chunk)
    })
    const arriving = join(folder, `arriving-${arrived++}`)
    await pipeline(request, createWriteStream(arriving, { flush: true }))
    await rename(arriving, join(folder, request.url?.replaceAll('/', '-') ?? ''))
    sendJson(response, Buffer.from(JSON.stringify({ digests: digests.map((digest) => digest.digest('hex')) })))
  }

  async function send(response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': length })
    await pipeline(createReadStream(file ?? ''), response)
  }

  return {
    url: await serveBare((request, response) => void (request.method === 'POST' ? receive(request, response) : send(response))),
  }
})
