import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { startTestServer } from '../../src/testing.ts'
import type { EngineName } from '../support/database-place.ts'
import { databaseSettings } from '../support/database-settings.ts'

const credentials = Buffer.from('Administrator:Administrator').toString('base64')
const head = (method: string, path: string) =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${credentials}\r\n`

/** The ways to be slow: each opens with this, and goes on with a byte a second where it is told to. */
const manners: readonly { readonly name: string; readonly bytes: string; readonly trickles: boolean }[] = [
  { name: 'silent', bytes: '', trickles: false },
  { name: 'half a head', bytes: head('GET', '/path/'), trickles: false },
  { name: 'an endless head', bytes: `${head('GET', '/path/')}X-Slow: `, trickles: true },
  {
    name: 'a trickling body',
    bytes: `${head('POST', '/path/')}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
    trickles: true,
  },
  { name: 'an answer that nobody reads', bytes: `${head('GET', '/automation')}\r\n`.repeat(200), trickles: false },
]

const settings = {
  connectionFirstByteTimeout: '3s',
  connectionHeadersTimeout: '6s',
  connectionUploadTimeout: '6s',
  transactionTimeout: '10s',
}

/** Slow connections in thousands: others are answered as before, and none of the slow ones is left after its time. */
export async function stressConnections(engine: EngineName, count: number): Promise<boolean> {
  const server = await startTestServer({ settings: { ...settings, ...(await databaseSettings(engine)) } })
  const sockets: Socket[] = []
  try {
    const alone = await latencies(server.url, 50)
    for (let index = 0; index < count; index++) sockets.push(openSlow(server.url, index))
    const beside = await latencies(server.url, 200)
    await wait(15_000)
    const left = sockets.filter((socket) => !socket.destroyed).length
    const afterwards = await latencies(server.url, 50)
    const slowest = Math.max(...beside)
    console.log(`${engine}: ${count} slow connections, ${left} left after their time; a request took`)
    console.log(`  alone ${told(alone)}, beside them ${told(beside)}, afterwards ${told(afterwards)}`)
    return left === 0 && slowest < 1_000
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
}

function openSlow(url: string, index: number): Socket {
  const { bytes, trickles } = manners[index % manners.length] ?? { bytes: '', trickles: false }
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  if (bytes !== '') socket.write(bytes)
  const sending = trickles ? setInterval(() => socket.write('a'), 1_000) : undefined
  // A socket that is not read does not hear that it was closed; a write does.
  const looking = setInterval(() => socket.resume(), 12_000)
  socket.once('close', () => {
    clearInterval(sending)
    clearInterval(looking)
  })
  return socket
}

async function latencies(url: string, requests: number): Promise<readonly number[]> {
  const taken: number[] = []
  for (let index = 0; index < requests; index++) {
    const started = performance.now()
    const answer = await fetch(new URL('api/v1/path/', url), { headers: { authorization: `Basic ${credentials}` } })
    if (answer.status !== 200) throw new Error(`A request beside slow connections was answered with ${answer.status}.`)
    await answer.text()
    taken.push(performance.now() - started)
  }
  return taken
}

function told(taken: readonly number[]): string {
  const sorted = taken.toSorted((left, right) => left - right)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return `${median.toFixed(1)} ms (slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms)`
}
