import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { isSameText } from '../../base/same-text.ts'

const hashArgon2 = promisify(argon2)

// Of the settings for Argon2id that OWASP calls equal in strength (Password Storage Cheat Sheet) the one with the least memory: the
// system's allocator keeps it, once for each thread that ever checked a password (measured with 19 MiB: 80 MB for good).
const cost = { memory: 7_168, passes: 5, parallelism: 1, tagLength: 32 } as const
const argonPrefix = '{ARGON2ID}'

/** Formats of accounts that came from elsewhere: digest of password and salt, then the salt, in base64. */
const saltedDigests = { '{SSHA}': 'sha1', '{SSHA512}': 'sha512', '{SMD5}': 'md5' } as const
const digestBytes = { sha1: 20, sha512: 64, md5: 16 } as const

/** What is stored instead of a password. */
export async function hashPassword(password: string): Promise<string> {
  return hashPasswordWith(randomBytes(16), password)
}

/** The same of 16 bytes that are given, where the same has to come out each time. */
export async function hashPasswordWith(nonce: Buffer, password: string): Promise<string> {
  const tag = await hashArgon2('argon2id', { ...cost, message: password, nonce })
  return `${argonPrefix}${cost.memory}$${cost.passes}$${nonce.toString('base64')}$${Buffer.from(tag).toString('base64')}`
}

/** Whether the password is the one that was stored: in our own format, one of the older salted digests, or as it is (security 2.11). */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  if (stored.startsWith(argonPrefix)) return isArgon2Password(password, stored.slice(argonPrefix.length))
  for (const [prefix, algorithm] of Object.entries(saltedDigests)) {
    if (stored.startsWith(prefix)) return isSaltedPassword(password, stored.slice(prefix.length), algorithm)
  }
  // What names a format that nobody here knows is no password.
  return stored !== '' && !namedFormat.test(stored) && isSameText(password, stored)
}

const namedFormat = /^\{[^}]*\}/
const current = `${argonPrefix}${cost.memory}$${cost.passes}$`

/** Whether it is better stored anew, as soon as the password itself is known: a digest of old, or with other costs, or the text itself. */
export function isStoredOldWay(stored: string): boolean {
  return !stored.startsWith(current)
}

async function isArgon2Password(password: string, stored: string): Promise<boolean> {
  const [memory, passes, nonce, tag] = stored.split('$')
  if (nonce === undefined || tag === undefined) return false
  const expected = Buffer.from(tag, 'base64')
  const actual = await hashArgon2('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: cost.parallelism,
    tagLength: expected.length,
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
  })
  return timingSafeEqual(Buffer.from(actual), expected)
}

function isSaltedPassword(password: string, stored: string, algorithm: keyof typeof digestBytes): boolean {
  const bytes = Buffer.from(stored, 'base64')
  const digest = bytes.subarray(0, digestBytes[algorithm])
  const salt = bytes.subarray(digestBytes[algorithm])
  if (digest.length < digestBytes[algorithm] || salt.length < 2) return false
  return timingSafeEqual(createHash(algorithm).update(password).update(salt).digest(), digest)
}
