import { hash } from 'node:crypto'
import { isSameText } from '../../base/same-text.ts'

/** By the names that the setting has for them; the first is what portals use unless they are told otherwise. */
export const portalDigests = { MD5: 'md5', SHA: 'sha1', 'SHA-256': 'sha256', 'SHA-512': 'sha512' } as const

/** What a portal vouches for its user with: headers `NX_TS`, `NX_RD`, `NX_USER` and `NX_TOKEN`, as they were sent. */
export interface PortalProof {
  readonly timestamp: string
  readonly random: string
  readonly user: string
  readonly token: string
}

/** What the server and the portal agreed on. */
export interface PortalRules {
  readonly secret: string
  readonly digest: keyof typeof portalDigests
  readonly maxAgeMillis: number
}

/** So far the clock of a portal may be ahead of ours. */
const maxAheadMillis = 300_000

/**
 * The user that the proof is for; undefined when it is too old, from the future, or made without the secret. Headers carry bytes: a name
 * that is not ASCII is read as Latin-1, as HTTP has it, and as UTF-8, as many programs send it, and the digest tells which was meant.
 */
export function findProvenUser(rules: PortalRules, proof: PortalProof, nowMillis: number): string | undefined {
  if (!isTimely(proof.timestamp, rules.maxAgeMillis, nowMillis)) return undefined
  return [proof, asUtf8(proof)].find((read) => isSameText(portalToken(rules, read), proof.token))?.user
}

/** Base64 of the digest over `timestamp:random:secret:user`. */
export function portalToken(rules: Pick<PortalRules, 'secret' | 'digest'>, proof: Omit<PortalProof, 'token'>): string {
  const { timestamp, random, user } = proof
  return hash(portalDigests[rules.digest], `${timestamp}:${random}:${rules.secret}:${user}`, 'base64')
}

/** Whether the moment lies between the oldest that is taken and a clock that is a little ahead. Thirteen digits last until 2286. */
function isTimely(timestamp: string, maxAgeMillis: number, nowMillis: number): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false
  const age = nowMillis - Number(timestamp)
  return age <= maxAgeMillis && age >= -maxAheadMillis
}

function asUtf8(proof: PortalProof): PortalProof {
  const read = (text: string) => Buffer.from(text, 'latin1').toString('utf8')
  return { ...proof, random: read(proof.random), user: read(proof.user) }
}
