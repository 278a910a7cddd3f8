import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Target } from './call.ts'

const block = randomBytes(1_000_000)

/** Sends a body of so many megabytes again and again over one connection, once at least; gives how many arrived in a second. */
export async function uploadFor(seconds: number, target: Target, head: string, megabytes: number): Promise<number> {
  const socket = connect(target).setNoDelay(true)
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
  const answered = once(socket, 'data') as Promise<[Buffer]>
  answered.catch(() => {})
  socket.write(head, 'latin1')
  for (let sent = 0; sent < megabytes; sent++) if (!socket.write(block)) await once(socket, 'drain')
  const [answer] = await answered
  if (!answer.toString('latin1').startsWith('HTTP/1.1 20')) throw new Error(`An upload was answered with ${answer}`)
}
