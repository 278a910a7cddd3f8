import type { Value } from '../values/value.ts'

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%'

interface Node {
  /** Where it stands in the text, from 0. */
  readonly at: number
}

/** An expression as it was read. */
export type Expression = Node &
  (
    | { readonly kind: 'literal'; readonly value: Value }
    /** Equal to nothing, to an empty text and to an empty list. */
    | { readonly kind: 'empty' }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
    | { readonly kind: 'item'; readonly of: Expression; readonly key: Expression }
    | { readonly kind: 'call'; readonly of: Expression; readonly name: string; readonly given: readonly Expression[] }
    | { readonly kind: 'list'; readonly items: readonly Expression[] }
    | { readonly kind: 'map'; readonly entries: readonly (readonly [key: Expression, value: Expression])[] }
    | { readonly kind: 'not' | 'negative'; readonly operand: Expression }
    | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'choice'; readonly condition: Expression; readonly then: Expression; readonly otherwise: Expression }
  )

/** One step of a script. */
export type Statement =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'assignment'; readonly name: string; readonly value: Expression }
  /** `Context["name"] = …` */
  | { readonly kind: 'itemAssignment'; readonly of: Expression; readonly key: Expression; readonly value: Expression }
