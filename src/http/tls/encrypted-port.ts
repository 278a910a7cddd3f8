import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { TLSSocket, TlsOptions } from 'node:tls'
import type { Log } from '../../base/log.ts'
import type { Connections } from '../protection/connections.ts'
import { startListening } from '../start-listening.ts'
import { secureOptions, tls } from './certificate.ts'
import { CertificateWatch } from './certificate-watch.ts'
import type { Encryption } from './encryption.ts'

export interface EncryptedPort {
  readonly address: AddressInfo
  /** Takes no new connection, and closes those that have not agreed on anything yet. */
  close(): void
}

interface PortWith {
  readonly host: string
  readonly encryption: Encryption
  /** The time to agree on how to encrypt. */
  readonly handshakeSeconds: number
  /** Whom the connections then belong to, as those do that are not encrypted. */
  readonly server: Server
  readonly connections: Connections
  readonly log: Log
}

const handshakeRecord = 0x16
const plainText = 'This port speaks https alone.'
const plainAnswer = `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: ${plainText.length}\r\nConnection: close\r\n\r\n${plainText}`

/**
 * Listens for TLS and hands what it has agreed on to the HTTP server, so that one server with one set of limits answers both ways. Until
 * then a connection counts among all others, and has only so long.
 * @throws certificateUnusable
 */
export async function openEncryptedPort({ encryption, ...rest }: PortWith): Promise<EncryptedPort> {
  const { host, handshakeSeconds, server, connections, log } = rest
  const watch = await CertificateWatch.open(encryption.files, {
    use: (renewed) => agreeing.setSecureContext(secureOptions(renewed, encryption)),
    log,
  })
  const options: TlsOptions = {
    ...secureOptions(watch.certificate, encryption),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: handshakeSeconds * 1_000,
  }
  const pending = new Set<Socket>()
  const agreeing = tls().createServer(options)
  agreeing.on('secureConnection', (encrypted) => {
    const below = socketBelow(encrypted)
    pending.delete(below)
    connections.goOnThrough(encrypted, below)
    if (!encrypted.destroyed) server.emit('connection', encrypted)
  })
  agreeing.on('tlsClientError', ({ code }: NodeJS.ErrnoException, encrypted) => {
    log.debug({ event: 'https.noAgreement', code }, 'a client and this server did not agree on TLS')
    encrypted.destroy()
  })

  const front = createServer((socket) => {
    // What goes wrong before anything is agreed on concerns nobody.
    socket.on('error', () => socket.destroy())
    if (!connections.admit(socket)) {
      socket.destroy()
      return
    }
    pending.add(socket)
    socket.once('close', () => pending.delete(socket))
    socket.once('readable', () => beginAgreement(socket, () => agreeing.emit('connection', socket)))
  })
  const address = await startListening(front, { host, port: encryption.port })
  front.on('error', (err) => log.error({ event: 'http.notAccepted', err }, 'a connection could not be accepted'))

  await watch.start(encryption.lookMilliseconds)
  return {
    address,
    close() {
      watch.stop()
      front.close()
      for (const socket of pending) socket.destroy()
    },
  }
}

/** A client that speaks plain HTTP is told so: it would see nothing but a closed connection. */
function beginAgreement(socket: Socket, begin: () => void): void {
  const first: Buffer | null = socket.read(1)
  if (first === null) {
    socket.destroy()
  } else if (first[0] === handshakeRecord) {
    socket.unshift(first)
    begin()
  } else {
    socket.end(plainAnswer).resume()
  }
}

/** What Node keeps of the connection that it was handed: it says in no other way which of them has come to an agreement. */
function socketBelow(encrypted: TLSSocket): Socket {
  return (encrypted as TLSSocket & { readonly _parent: Socket })._parent
}
