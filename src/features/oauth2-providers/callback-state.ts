import { createHmac } from 'node:crypto'
import { isoDate } from '../../base/iso-date.ts'
import { isSameText } from '../../base/same-text.ts'
import { readHolder } from '../../core/principals/name-holder.ts'
import type { Services } from '../../rest/services.ts'
import { readStoredSecret } from '../../store/stored-secret.ts'

/**
 * What ties the answer of a service to the user who asked for it: without, somebody could have another's browser bring an answer of
 * theirs, so that files of the other go to their account (RFC 6749, 10.12). Off unless the deployment wants it (security 3.4).
 */
export interface CallbackStates {
  /** Undefined where none is sent. */
  create(serviceName: string, user: string): Promise<string | undefined>
  isOwn(state: string | null, serviceName: string, user: string): Promise<boolean>
}

const validMillis = 60 * 60_000
const key = 'oauth2:stateSecret'

export function createCallbackStates({ isOn }: { readonly isOn: boolean }, services: Services): CallbackStates {
  let secret: string | undefined

  /** For that user, and not for the next of the name. */
  async function sign(serviceName: string, user: string, expires: string): Promise<string> {
    const { store } = services.directories
    // Not a promise of it: one that failed, as while the database was away, would be kept for ever.
    secret ??= await readStoredSecret(store, key)
    const holder = await readHolder(store.reader.transient, user, isoDate(new Date()))
    return createHmac('sha256', secret)
      .update(JSON.stringify([serviceName, user, expires, ...(holder === '' ? [] : [holder])]))
      .digest('base64url')
  }

  return {
    async create(serviceName, user) {
      if (!isOn) return undefined
      const expires = (Date.now() + validMillis).toString(36)
      return `${expires}.${await sign(serviceName, user, expires)}`
    },
    async isOwn(state, serviceName, user) {
      if (!isOn) return true
      const [expires = '', signature = ''] = state?.split('.') ?? []
      if (!(Number.parseInt(expires, 36) > Date.now())) return false
      return isSameText(signature, await sign(serviceName, user, expires))
    },
  }
}
