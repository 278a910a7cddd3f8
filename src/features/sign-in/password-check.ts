import type { Principals } from '../../core/principals/principals.ts'
import type { BrowserRequest, Identity } from '../../rest/authenticator.ts'

export interface Credentials {
  readonly name: string
  readonly password: string
}

/** Whether the password is the user's, for whoever asks for it. */
export type PasswordCheck = (
  request: BrowserRequest,
  principals: Principals,
  credentials: Credentials,
) => Promise<CheckedPassword>

export type CheckedPassword = Exclude<Identity, { kind: 'none' }>

export function createPasswordCheck(): PasswordCheck {
  return async (_request, principals, { name, password }) => {
    const principal = await principals.authenticate(name, password)
    return principal === undefined ? { kind: 'refused', name } : { kind: 'known', principal }
  }
}
