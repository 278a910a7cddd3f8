import { hash, randomBytes } from 'node:crypto'
import { isSameText } from '../../base/same-text.ts'

/** What the link of an invitation holds: which request it is for, and a secret that only its receiver has. */
export interface InvitationKey {
  readonly requestId: string
  readonly secret: string
}

const keyShape = /^([0-9A-Za-z-]{1,64})\.([0-9A-Za-z_-]{43})$/

/** A key that cannot be guessed: 256 random bits. */
export function createKey(requestId: string): InvitationKey {
  return { requestId, secret: randomBytes(32).toString('base64url') }
}

export function formatKey({ requestId, secret }: InvitationKey): string {
  return `${requestId}.${secret}`
}

/** Undefined for a text that never was a key. */
export function parseKey(text: string): InvitationKey | undefined {
  const [, requestId, secret] = keyShape.exec(text) ?? []
  return requestId === undefined || secret === undefined ? undefined : { requestId, secret }
}

/** What is stored instead of the key. A digest is enough where the secret is long and random. */
export function digestOf({ secret }: InvitationKey): string {
  return hash('sha256', secret)
}

export function isKeyOf(digest: string, key: InvitationKey): boolean {
  return isSameText(digest, digestOf(key))
}
