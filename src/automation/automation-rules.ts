import type { CallLimits } from './budget.ts'

/** Settings of how operations read what they are sent, and how far they may reach out. */
export interface AutomationRules {
  /** Values of `key=value` lines lose the blanks around them. */
  readonly trimsPropertyValues: boolean
  /** A backslash at the end of a line goes on with the next. */
  readonly joinsPropertyLines: boolean
  /** Folders of the server itself, into which no operation writes. */
  readonly ownFolders: readonly string[]
  readonly limits: CallLimits
  /** How long another server may take that a chain or a script calls. */
  readonly httpMillis: number
}
