import { hash } from 'node:crypto'
import { networkOf } from '../../base/address-range.ts'
import { isoDate } from '../../base/iso-date.ts'
import { isSameText } from '../../base/same-text.ts'
import { typedName } from '../../base/typed-name.ts'
import type { Services } from '../../rest/services.ts'

/** What has to be known of a sign-in when the browser comes back from the provider. */
export interface PendingSignIn {
  readonly provider: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
  /** Below the base URL; empty where nobody asked for a page. */
  readonly requestedUrl: string
}

/** What is to be said when a session ends that began at a provider. */
export interface ProviderSession {
  readonly provider: string
  readonly user: string
  /** Empty where it was too long to remember. */
  readonly idToken: string
}

/** Sign-ins that are under way, as expiring values that all processes share. */
export interface SignInStates {
  /** False when too many were begun from this address. */
  begin(state: string, browser: string, clientAddress: string, pending: PendingSignIn): Promise<boolean>
  /** Once: whoever presents the state has used it up. Undefined also for another browser, and after its time. */
  take(state: string, browser: string | undefined): Promise<PendingSignIn | undefined>
  rememberSession(key: string, session: ProviderSession): Promise<void>
  takeSession(key: string): Promise<ProviderSession | undefined>
}

export const pendingSeconds = 600
/** A whole company comes from one address in the morning; nobody else needs as many. */
const maxBegunPerAddress = 1_000
const sessionSeconds = 7 * 86_400
const longestIdToken = 8_000

// Stored under digests, so that what the database shows lets nobody in.
const stateKey = (state: string) =>
  typedName<PendingSignIn & { readonly browser: string }>(`openid-connect/state/${digestOf(state)}`)
const usedKey = (state: string) => `openid-connect/used/${digestOf(state)}`
const sessionKey = (key: string) => typedName<ProviderSession>(`openid-connect/session/${digestOf(key)}`)
const addressKey = (address: string) => `openid-connect/begun/${networkOf(address)}`

export function createSignInStates(services: Services): SignInStates {
  const store = () => services.directories.store

  return {
    begin: (state, browser, clientAddress, pending) =>
      store().transact(async ({ transient }) => {
        const begun = await transient.increase(addressKey(clientAddress), 1, fromNow(pendingSeconds), fromNow(0))
        if (begun > maxBegunPerAddress) return false
        await transient.set(stateKey(state), { ...pending, browser: digestOf(browser) }, fromNow(pendingSeconds))
        return true
      }),

    take: (state, browser) =>
      store().transact(async ({ transient }) => {
        const now = fromNow(0)
        const found = await transient.find(stateKey(state), now)
        if (found === undefined || browser === undefined) return undefined
        const { browser: owner, ...pending } = found
        // Somebody else's browser uses nothing up: the person who began may still come back.
        if (!isSameText(owner, digestOf(browser))) return undefined
        await transient.remove(stateKey(state))
        // Two who present it at once may both have found it: one of them is the first here.
        return (await transient.add(usedKey(state), true, fromNow(pendingSeconds), now)) ? pending : undefined
      }),

    async rememberSession(key, session) {
      const idToken = session.idToken.length <= longestIdToken ? session.idToken : ''
      await store().transact(({ transient }) => transient.set(sessionKey(key), { ...session, idToken }, fromNow(sessionSeconds)))
    },

    takeSession: (key) =>
      store().transact(async ({ transient }) => {
        const found = await transient.find(sessionKey(key), fromNow(0))
        if (found !== undefined) await transient.remove(sessionKey(key))
        return found
      }),
  }
}

function fromNow(seconds: number): string {
  return isoDate(new Date(Date.now() + seconds * 1_000))
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url')
}
