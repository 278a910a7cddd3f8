import { createHmac, hash, randomBytes } from 'node:crypto'

/** What may be a token at all, or the id of one: anything else need not be looked up. */
const tokenShape = /^[\w.-]{1,256}$/

export function mayBeToken(text: string): boolean {
  return tokenShape.test(text)
}

/** What is stored instead of a token, and the id that administrators see. Enough for what is long and random. */
export function digestOfToken(token: string): string {
  return hash('sha256', token)
}

export function newSalt(): string {
  return randomBytes(16).toString('base64url')
}

export function newTokenSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The token that a secret of the server and a salt give: a UUID of 122 bits. It is not stored, and yet it can be told again to
 * whom it belongs to; who has the database but not the secret can do neither.
 */
export function deriveToken(secret: string, salt: string): string {
  const bytes = createHmac('sha256', secret).update(`authentication token ${salt}`).digest().subarray(0, 16)
  // Version 4 and the variant of RFC 9562, as clients expect of a token.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The token with this digest, if one of the secrets made it. */
export function findToken(secrets: readonly string[], { salt, digest }: { salt: string; digest: string }): string | undefined {
  return secrets.map((secret) => deriveToken(secret, salt)).find((token) => digestOfToken(token) === digest)
}
