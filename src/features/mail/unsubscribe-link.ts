import { createHmac, randomBytes } from 'node:crypto'
import { isoDate, lastMoment } from '../../base/iso-date.ts'
import { findJson } from '../../base/json.ts'
import { isSameText } from '../../base/same-text.ts'
import type { Services } from '../../rest/services.ts'

/** Whose subscription a link ends, and which. */
export interface UnsubscribeRequest {
  readonly repository: string
  readonly documentId: string
  readonly notification: string
  readonly user: string
}

/** Where links lead to, below the address of the server. */
export const unsubscribePath = 'site/notifications/unsubscribe'

/**
 * Links that end a subscription without a sign-in, for whoever was sent one. They say what they are for and are signed, so that nobody
 * makes one up, and they do not expire: a mail may be opened years later.
 */
export interface UnsubscribeLinks {
  create(request: UnsubscribeRequest): Promise<string>
  /** Undefined for what this server did not sign. */
  find(token: string): Promise<UnsubscribeRequest | undefined>
}

const key = 'mail:unsubscribeSecret'
const longestToken = 4_096

export function createUnsubscribeLinks(services: Pick<Services, 'directories'>): UnsubscribeLinks {
  let secret: string | undefined

  async function sign(content: string): Promise<string> {
    // Not a promise of it: one that failed, as while the database was away, would be kept for ever.
    secret ??= await readSecret(services)
    return createHmac('sha256', secret).update(content).digest('base64url')
  }

  return {
    async create({ repository, documentId, notification, user }) {
      const content = Buffer.from(JSON.stringify([repository, documentId, notification, user])).toString('base64url')
      return `${content}.${await sign(content)}`
    },
    async find(token) {
      const [content = '', signature = ''] = token.split('.')
      if (token.length > longestToken || !isSameText(signature, await sign(content))) return undefined
      const parts = findJson(Buffer.from(content, 'base64url').toString())
      if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined
      const [repository = '', documentId = '', notification = '', user = ''] = parts as string[]
      return { repository, documentId, notification, user }
    },
  }
}

/** The same for all processes: the first that needs it makes it. */
async function readSecret({ directories: { store } }: Pick<Services, 'directories'>): Promise<string> {
  return store.transact(async ({ transient }) => {
    const now = isoDate(new Date())
    await transient.add(key, randomBytes(32).toString('base64url'), lastMoment, now)
    return String(await transient.find(key, now))
  })
}
