import type { VendorIdentifiers } from '../../base/vendor.ts'
import { type Principal, systemPrincipal } from '../../model/rights/principal.ts'
import { accessTo } from '../access.ts'
import { announceToServer } from '../server-event.ts'
import type { Repository } from '../session.ts'

export type SignInEventName = 'loginSuccess' | 'loginFailed' | 'logout'

export interface SignInEvent {
  readonly name: SignInEventName
  /** As it was given; whoever failed to sign in may not exist. */
  readonly user: string
  /** The authenticator: `FORM_AUTH`. */
  readonly plugin: string
  /** Undefined where nobody was let in. */
  readonly principal?: Principal
}

const verbs: Record<SignInEventName, string> = {
  loginSuccess: 'signed in',
  loginFailed: 'failed to sign in',
  logout: 'signed out',
}
const maxShownName = 200

/** Whether anybody listens: without, a request that signs in has nothing to write. */
export function isListenedTo({ serverListeners }: Repository, name: SignInEventName): boolean {
  return serverListeners.some(({ events }) => events.includes(name))
}

/** Tells server listeners of it, in a transaction of its own (contract: security 2.1). */
export async function announceSignIn(home: Repository, event: SignInEvent, vendored: VendorIdentifiers): Promise<void> {
  const { name, plugin, principal = systemPrincipal() } = event
  if (!isListenedTo(home, name)) return
  const user = event.user.slice(0, maxShownName).toWellFormed()
  const comment = `${user} ${verbs[name]} by ${plugin}`
  await accessTo(home, principal).write((session) =>
    announceToServer(session, name, {
      category: vendored('PlatformAuthentication'),
      comment,
      properties: { principalName: user, authenticationPlugin: plugin },
    }),
  )
}
