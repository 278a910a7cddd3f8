import type { ServerResponse } from 'node:http'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { disposalFor } from '../base/spent-bytes.ts'

/**
 * Sends all bytes of a stream at the pace of the client.
 * @throws Error when the client goes away, and when there are fewer or more than were promised: only a broken connection tells the
 * client of that.
 */
export async function sendBytes(stream: Readable, response: ServerResponse, promised: string | undefined): Promise<void> {
  const dispose = disposalFor(stream)
  let sent = 0
  const sink = new Writable({
    write(chunk: Uint8Array, _, done) {
      sent += chunk.length
      response.write(chunk, (error) => {
        dispose(chunk)
        done(error)
      })
    },
  })
  const giveUp = () => sink.destroy(new Error('The client went away before the end of the answer.'))
  response.once('close', giveUp)
  try {
    await pipeline(stream, sink)
  } finally {
    response.off('close', giveUp)
  }
  if (promised !== undefined && sent !== Number(promised)) throw new Error(`${sent} bytes were sent instead of ${promised}.`)
}
