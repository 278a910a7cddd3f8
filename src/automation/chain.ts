import type { Json } from '../base/json.ts'
import type { OperationBinding } from './operation.ts'
import type { ParameterTable } from './parameter.ts'

/** One operation of a chain with what it is told. A text that begins with `expr:` is an expression. */
export interface ChainStep {
  /** Of an operation or of another chain. */
  readonly operation: string
  readonly params?: { readonly [name: string]: Json }
}

/** What runs instead when a chain fails. */
export interface CatchChain {
  readonly chain: string
  /** The highest of those that match is taken; 0 when absent. */
  readonly priority?: number
  /** What the failed chain did is undone; true when absent. */
  readonly rollsBack?: boolean
  /** An expression over `Exception`, `exceptionName` and `exceptionObject`; all match when absent. */
  readonly filter?: string
}

/** Operations run one after the other, each on what the one before it gave. */
export interface Chain {
  readonly id: string
  readonly aliases?: readonly string[]
  readonly description?: string
  readonly params?: ParameterTable
  readonly steps: readonly ChainStep[]
  readonly catches?: readonly CatchChain[]
  readonly access?: OperationBinding
}

/**
 * Declares a chain.
 * @example
 * export const archive = defineChain({
 *   id: 'archive',
 *   steps: [
 *     { operation: 'Document.CheckIn', params: { version: 'major' } },
 *     { operation: 'Document.SetProperty', params: { xpath: 'dc:rights', value: 'expr:"archived by " + CurrentUser.name' } },
 *   ],
 * })
 */
export function defineChain(chain: Chain): Chain {
  return chain
}
