import { createHash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import type { IncomingRequest } from './incoming-request.ts'

/** What tells one body from another, whoever reads it and as far as they do. */
export interface BodyDigest {
  /** Reads what nobody has read. Undefined when the rest does not come: such a body is like no other. */
  finish(): Promise<string | undefined>
}

/** Begins to take note of a body before anybody reads from it. */
export function startBodyDigest(request: IncomingRequest): BodyDigest {
  const hash = createHash('sha256')
  const note = (bytes: Uint8Array) => void hash.update(bytes)
  request.tap = note
  return {
    async finish() {
      request.tap = undefined
      const { raw, bytesRead } = request
      if (bytesRead !== undefined) note(bytesRead)
      else if (!raw.readableEnded && !raw.destroyed) {
        request.askForBody()
        raw.on('data', note)
        // Whoever is too slow for it is disconnected.
        await finished(raw, { writable: false }).catch(() => {})
      }
      return raw.complete || bytesRead !== undefined ? hash.digest('hex') : undefined
    },
  }
}
