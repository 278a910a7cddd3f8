import type { Long } from '../../model/properties/long.ts'
import type { Span } from '../mistake.ts'

/** A query as it is written: well formed, but nothing in it is known to exist. */
export interface QueryStatement {
  readonly isDistinct: boolean
  readonly select: readonly SelectItem[] | 'everything'
  readonly from: readonly NameNode[]
  readonly where?: QueryPredicate
  readonly orderBy: readonly OrderItem[]
  readonly limit?: Long
  readonly offset?: Long
}

export interface SelectItem {
  readonly operand: QueryOperand
  readonly alias?: string
}

export interface NameNode extends Span {
  readonly name: string
}

export interface OrderItem {
  readonly operand: ReferenceNode | FunctionNode
  readonly isDescending: boolean
}

export type QueryPredicate =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly QueryPredicate[] }
  | { readonly kind: 'not'; readonly operand: QueryPredicate }
  | {
      readonly kind: 'comparison'
      readonly left: QueryOperand
      readonly operator: ComparisonOperator
      readonly right: QueryOperand
    }
  | { readonly kind: 'condition'; readonly subject: ReferenceNode; readonly condition: Condition }

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>='

/** What is asked of the property on the left, beside comparing it. */
export type Condition =
  | { readonly kind: 'in'; readonly values: readonly LiteralNode[]; readonly isNegated: boolean }
  | { readonly kind: 'between'; readonly low: LiteralNode; readonly high: LiteralNode; readonly isNegated: boolean }
  | { readonly kind: 'like'; readonly pattern: string; readonly ignoresCase: boolean; readonly isNegated: boolean }
  | { readonly kind: 'null'; readonly isNegated: boolean }
  | { readonly kind: 'startsWith'; readonly root: string }

export type QueryOperand = LiteralNode | ReferenceNode | FunctionNode | ArithmeticNode

export type LiteralNode = Span &
  (
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'integer'; readonly value: Long }
    | { readonly kind: 'double'; readonly value: number }
    | { readonly kind: 'date' | 'timestamp'; readonly text: string }
  )

export interface ReferenceNode extends Span {
  readonly kind: 'reference'
  /** `dc:title`, also when `DATE(…)` or a hint stands around it. */
  readonly name: string
  readonly isCastToDate: boolean
  readonly hint?: Hint
}

export interface FunctionNode extends Span {
  readonly kind: 'function'
  readonly name: string
  readonly parameters: readonly QueryOperand[]
}

/** Understood so that it can be refused by name; what it would compute does not matter. */
export interface ArithmeticNode extends Span {
  readonly kind: 'arithmetic'
}

// What `/*+ES: INDEX(dc:title.fulltext^2) ANALYZER(french) OPERATOR(match) */` says.
export interface Hint {
  readonly fields: readonly string[]
  readonly analyzer?: string
  readonly operator?: string
}
