export type LogFields = { readonly event: string } & { readonly [field: string]: unknown }

/** Where facts about the running server go. A caller's mistake is `info`, ours is `error`, what needs a person is `warn`. */
export interface Log {
  debug(fields: LogFields, sentence: string): void
  info(fields: LogFields, sentence: string): void
  warn(fields: LogFields, sentence: string): void
  error(fields: LogFields, sentence: string): void
  /** Whether the level is enabled: what is logged of every request is not even put together in vain. */
  isLevelEnabled?(level: 'debug'): boolean
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
