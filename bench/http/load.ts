import { connect } from 'node:net'
import type { Target } from './call.ts'

/** Gives the text of the next request. */
export type NextRequest = () => string

/**
 * Sends requests over so many connections that stay open, each waiting for its answer before it sends the next, and gives
 * how many were answered in a second.
 *
 * They are written to plain sockets: with the client of `node:http` this side, not the bare server at the other end, would
 * be what limits the rate (measured: 11,000 a second against 22,000), and every ratio would look better than it is.
 */
export async function sendFor(seconds: number, target: Target, connections: number, next: NextRequest): Promise<number> {
  const started = performance.now()
  const end = started + seconds * 1_000
  const total = await sendUntil(() => performance.now() >= end, target, connections, next)
  return total / ((performance.now() - started) / 1_000)
}

/** The same for so many requests, and a few more. */
export async function sendTimes(times: number, target: Target, connections: number, next: NextRequest): Promise<void> {
  let sent = 0
  const counting = () => {
    sent += 1
    return next()
  }
  await sendUntil(() => sent >= times, target, connections, counting)
}

async function sendUntil(isOver: () => boolean, target: Target, connections: number, next: NextRequest): Promise<number> {
  const answered = await Promise.all(Array.from({ length: connections }, () => keepSending(target, next, isOver)))
  return answered.reduce((sum, count) => sum + count, 0)
}

function keepSending(target: Target, next: NextRequest, isOver: () => boolean): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect(target).setNoDelay(true)
  let request = next()
  let answered = 0
  let missingBytes = 0
  let head: Buffer = Buffer.alloc(0)

  socket.on('connect', () => socket.write(request, 'latin1'))
  socket.on('error', reject)
  socket.on('close', () => reject(new Error(`The connection was closed before the answer to ${request}`)))
  socket.on('data', (chunk: Buffer) => {
    if (missingBytes > 0) missingBytes -= chunk.length
    else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const length = findLength(head)
      if (length === undefined) return
      if (length === 'refused') return reject(new Error(`${request}\nwas answered with ${head.toString('latin1', 0, 1_000)}`))
      missingBytes = length - head.length
      head = head.subarray(0, 0)
    }
    if (missingBytes > 0) return
    answered += 1
    if (isOver()) return resolve(answered)
    request = next()
    socket.write(request, 'latin1')
  })
  return promise.finally(() => socket.destroy())
}

const contentLength = /\r\ncontent-length: *(\d+)/i

/** Bytes of the whole answer, of which these are the first; undefined while its head is not complete. */
function findLength(bytes: Buffer): number | 'refused' | undefined {
  const headLength = bytes.indexOf('\r\n\r\n')
  if (headLength < 0) return undefined
  const head = bytes.toString('latin1', 0, headLength)
  const bodyLength = contentLength.exec(head)?.[1]
  return head.startsWith('HTTP/1.1 20') && bodyLength !== undefined ? headLength + 4 + Number(bodyLength) : 'refused'
}
