import { randomUUID } from 'node:crypto'
import type { IncomingRequest } from './incoming-request.ts'

const headerShape = /^[\x21-\x7e]{1,128}$/

/** Names a request for the log: by the id that the client or a proxy gave, or by one that tells nothing, not even how many there were. */
export function requestIdOf({ headers }: Pick<IncomingRequest, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && headerShape.test(given) ? given : randomUUID()
}
