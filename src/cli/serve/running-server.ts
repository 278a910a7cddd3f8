import type { Log } from '../../base/log.ts'
import type { MetricsExchange } from '../../base/metrics.ts'
import type { Settings } from '../../builtin-settings.ts'
import type { SiblingProcesses } from '../../http/connection-moves.ts'
import type { AdministratorPassword } from '../../settings/administrator-password.ts'
import type { WriteTurns } from '../../store/write-turns.ts'

export interface StartOptions {
  readonly settings: Settings
  /** What gave each setting that has not its default, by name. */
  readonly origins?: ReadonlyMap<string, string>
  readonly plugins: readonly unknown[]
  readonly log: Log
  /** Among the workers of a server. */
  readonly writeTurns?: WriteTurns
  readonly metricsExchange?: MetricsExchange
  readonly siblings?: SiblingProcesses
}

export interface RunningServer {
  readonly address: { readonly host: string; readonly port: number }
  readonly url: string
  /** Where it speaks TLS itself. */
  readonly encryptedUrl?: string
  /** Where the management API has a port of its own. */
  readonly managementUrl?: string
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
