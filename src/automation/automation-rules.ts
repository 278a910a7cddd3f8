import type { CallLimits } from './budget.ts'

/** Settings of how operations read what they are sent, and how far they may reach out. */
export interface AutomationRules {
  /** Values of `key=value` lines lose the blanks around them. */
  readonly trimsPropertyValues: boolean
  /** A backslash at the end of a line goes on with the next. */
  readonly joinsPropertyLines: boolean
  /** The registry shows an operation once for each of its aliases, too. */
  readonly exportsAliases: boolean
  /** Folders of the server itself, into which no operation writes. */
  readonly ownFolders: readonly string[]
  readonly limits: CallLimits
  /** Of calls that nobody waits for. */
  readonly asynchronous: AsynchronousRules
}

export interface AsynchronousRules {
  /** How long a question for the state of one waits for its end. */
  readonly stateWaitMillis: number
  /** How long a result is kept for somebody to read it. */
  readonly resultMillis: number
  /** How long it is kept once it was read. */
  readonly readResultMillis: number
}
