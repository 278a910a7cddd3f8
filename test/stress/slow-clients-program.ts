// Opens many slow connections and holds on to them: `node slow-clients-program.ts PORT COUNT`. Prints a line once they are open.
import { connect, type Socket } from 'node:net'

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
  { name: 'an answer that nobody reads', bytes: `${head('GET', '/automation')}\r\n`.repeat(90), trickles: false },
]

/**
 * How many are opened before the next ones: the system lets only so many wait to be accepted and leaves the others to knock again
 * after one, three, seven and fifteen seconds, when the time of the first ones is over.
 */
const wave = 100

function openSlow(port: number, index: number): Promise<void> {
  const { bytes, trickles } = manners[index % manners.length] ?? { bytes: '', trickles: false }
  // From several addresses, or the limit of one would refuse most of them.
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (index % 50)}` })
  socket.on('error', () => {})
  socket.pause()
  if (bytes !== '') socket.write(bytes)
  if (trickles) trickle(socket)
  return new Promise((resolve) => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })
}

function trickle(socket: Socket): void {
  const sending = setInterval(() => socket.write('a'), 1_000)
  socket.once('close', () => clearInterval(sending))
}

const [port, count] = process.argv.slice(2).map(Number)
if (port === undefined || count === undefined) throw new Error('Say which port and how many connections.')
for (let index = 0; index < count; index += wave) {
  const size = Math.min(wave, count - index)
  await Promise.all(Array.from({ length: size }, (_, offset) => openSlow(port, index + offset)))
}
console.log('open')
// Nothing is read, so nothing else holds the process.
setInterval(() => {}, 60_000)
