import { randomBytes } from 'node:crypto'
import type { IncomingRequest } from './incoming-request.ts'

const headerShape = /^[\x21-\x7e]{1,128}$/

/** Names requests for the log: by the id that the client or a proxy gave, or by one of ours, unique among all processes. */
export function createRequestIds(): (request: IncomingRequest) => string {
  const prefix = randomBytes(6).toString('base64url')
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && headerShape.test(given)) return given
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
