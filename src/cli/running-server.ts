import type { Log } from '../base/log.ts'
import type { ApiSettings } from '../settings/api-settings.ts'
import type { ContentSettings } from '../settings/content-settings.ts'
import type { SearchSettings } from '../settings/search-settings.ts'
import type { ServerSettings } from '../settings/server-settings.ts'

export interface StartOptions {
  readonly settings: ServerSettings & ApiSettings & ContentSettings & SearchSettings
  readonly plugins: readonly unknown[]
  readonly log: Log
}

export interface RunningServer {
  readonly address: { readonly host: string; readonly port: number }
  readonly url: string
  /** Lets the requests in flight finish, then closes everything. */
  stop(): Promise<void>
}

export type StartServer = (options: StartOptions) => Promise<RunningServer>
