import type { Log } from '../../base/log.ts'
import type { Settings } from '../../builtin-settings.ts'
import type { AdministratorPassword } from '../../settings/administrator-password.ts'

export interface StartOptions {
  readonly settings: Settings
  readonly plugins: readonly unknown[]
  readonly log: Log
}

export interface RunningServer {
  readonly address: { readonly host: string; readonly port: number }
  readonly url: string
  /** As it was stored when the server began to listen. */
  readonly administratorPassword: AdministratorPassword
  /**
   * Answers the request in whose course this is called with the error, which was not caught. Gives whether there was one to
   * answer.
   */
  refuseCurrent(error: unknown): boolean
  /** Lets the requests in flight finish, then closes everything. */
  stop(): Promise<void>
}

export type StartServer = (options: StartOptions) => Promise<RunningServer>
