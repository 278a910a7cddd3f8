import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/** Where a client is that goes through what is below a folder. */
export interface ScrollPosition {
  /** Whose it is, and of which folder. */
  readonly user: string
  readonly item: string
  /** The last path that was looked at; empty at the beginning. */
  readonly after: string
  /** In milliseconds. */
  readonly expires: number
}

/**
 * Ids that hold all that the server has to know to go on, so that nothing is stored for a client that never comes back. They are sealed:
 * the path in them may be of a document that the client does not see, and nobody makes one up.
 */
export interface ScrollIds {
  seal(position: ScrollPosition): string
  /** Undefined for what is no id of ours. */
  open(id: string): ScrollPosition | undefined
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** The path is the longest of it. */
const maxIdLength = 20_000

export function createScrollIds(secret: string): ScrollIds {
  const key = hash('sha256', secret, 'buffer')
  return {
    seal({ user, item, after, expires }) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      const sealed = Buffer.concat([cipher.update(JSON.stringify([user, item, after, expires])), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(id) {
      if (id.length > maxIdLength) return undefined
      const bytes = Buffer.from(id, 'base64url')
      if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== id) return undefined
      const opened = decrypted(key, bytes)
      if (opened === undefined) return undefined
      const [user, item, after, expires] = JSON.parse(opened)
      return { user, item, after, expires }
    },
  }
}

function decrypted(key: Uint8Array, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8')
  try {
    return text + decipher.final('utf8')
  } catch {
    // Its tag is another: this key has not sealed it.
    return undefined
  }
}
