import { createHash } from 'node:crypto'
import { invalid, refuse } from './compute-problems.ts'
import type { PageKey } from './list-order.ts'

const digestBytes = 12
const longestToken = 1_000

/**
 * Where the next page begins, and a digest of what was asked: with another question the token means nothing. It names the last entry and
 * not a number of them, so that what comes in between neither repeats nor hides anything.
 */
export function writePageToken(question: readonly string[], { value, id }: PageKey): string {
  return Buffer.concat([digestOf(question), Buffer.from(JSON.stringify([value, id]))]).toString('base64url')
}

/** @throws faultyRequest */
export function readPageToken(question: readonly string[], token: string | undefined): PageKey | undefined {
  if (token === undefined || token === '') return undefined
  const bytes = Buffer.from(token.slice(0, longestToken), 'base64url')
  if (!bytes.subarray(0, digestBytes).equals(digestOf(question))) return refuseToken()
  const key = parseKey(bytes.subarray(digestBytes).toString('utf8'))
  return key ?? refuseToken()
}

function parseKey(text: string): PageKey | undefined {
  const [, value, id] = /^\["([-\w:.]{1,100})","(\d{1,20})"\]$/.exec(text) ?? []
  return value === undefined || id === undefined ? undefined : { value, id }
}

function refuseToken(): never {
  return refuse(
    invalid(
      "Invalid value for field 'pageToken'. Use what the page before gave as nextPageToken, with the same filter and orderBy.",
      'pageToken',
    ),
  )
}

function digestOf(question: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(question)).digest().subarray(0, digestBytes)
}
