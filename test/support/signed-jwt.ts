import { createHmac } from 'node:crypto'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON web token as a partner makes it, with whatever is to be wrong about it. */
export function signedJwt(claims: object, { alg = 'HS512', digest = 'sha512', secret = 'topsecret' } = {}): string {
  const signed = `${encoded({ typ: 'JWT', alg })}.${encoded(claims)}`
  return `${signed}.${createHmac(digest, secret).update(signed).digest('base64url')}`
}
