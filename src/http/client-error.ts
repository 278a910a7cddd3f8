import type { Duplex } from 'node:stream'
import type { Log } from '../base/log.ts'
import { STATUS_CODES } from '../base/node-http.ts'

const statusByCode: { readonly [code: string]: number } = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Answers bytes that are not an HTTP request, where there is no request yet to answer. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex, log: Log): void {
  log.debug({ event: 'http.clientError', code: error.code }, 'unreadable request')
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusByCode[error.code ?? ''] ?? 400
  const message = STATUS_CODES[status] ?? ''
  const body = JSON.stringify({ 'entity-type': 'exception', status, message })
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}
