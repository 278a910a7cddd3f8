import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Target } from './call.ts'

const block = randomBytes(1_000_000)

/** Sends a body of so many megabytes again and again over one connection, once at least; gives how many arrived in a second. */
export async function uploadFor(seconds: number, target: Target, head: string, megabytes: number): Promise<number> {
  const socket = connect(target)
    .setNoDelay(true)
    .on('error', () => {})
  await once(socket, 'connect')
  const started = performance.now()
  const end = started + seconds * 1_000
  let sent = 0
  try {
    do {
      await sendOnce(socket, head, megabytes)
      sent += megabytes
    } while (performance.now() < end)
  } finally {
    socket.destroy()
  }
  return sent / ((performance.now() - started) / 1_000)
}

/** The answer is short: it comes in one piece. */
async function sendOnce(socket: Socket, head: string, megabytes: number): Promise<void> {
  const answered = nextOf(socket, 'data')
  socket.write(head, 'latin1')
  for (let sent = 0; sent < megabytes; sent++) {
    // Who answers before the end refuses, and may hang up then.
    if (!socket.write(block)) await Promise.race([nextOf(socket, 'drain'), answered.then(requireGood)])
  }
  requireGood(await answered)
}

function requireGood(answer: string): void {
  if (!answer.startsWith('HTTP/1.1 20')) throw new Error(`An upload was answered with ${answer}`)
}

/** @throws Error when the connection is closed before that. */
function nextOf(socket: Socket, event: 'data' | 'drain'): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const onClose = () => reject(new Error('The connection was closed in the middle of an upload.'))
  socket.once('close', onClose)
  socket.once(event, (received) => {
    socket.off('close', onClose)
    resolve(String(received))
  })
  if (socket.closed) onClose()
  promise.catch(() => {}) // whoever waits for the other event hears of it as well
  return promise
}
