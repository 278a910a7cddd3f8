import type { IsoDate } from '../base/iso-date.ts'
import { unreachable } from '../base/unreachable.ts'
import type { Long } from '../model/properties/long.ts'
import type { Duration } from './duration.ts'
import type { FulltextQuery } from './fulltext/fulltext-expression.ts'
import type { HintedMatch } from './fulltext/hinted-match.ts'
import type { LikePiece } from './like-pattern.ts'
import { type BindingId, bindingsOf, type QueryReference } from './reference.ts'

/** A condition on documents, in the logic of SQL: true, false or unknown, and only what is true is found. */
export type Formula = Atom | Junction<Formula> | { readonly kind: 'not'; readonly operand: Formula }

/** A checked query has none without operands; elsewhere AND of none is true, OR of none is false. */
export interface Junction<Operand> {
  readonly kind: 'and' | 'or'
  readonly operands: readonly Operand[]
}

/** A single question. Each can be `negated`; those that are never unknown say so. */
export type Atom =
  | ValueAtom
  | ComparisonAtom
  | ConstantAtom
  | PathAtom
  | SegmentAtom
  | AncestorAtom
  | FacetAtom
  | FulltextAtom
  | HintedAtom
  | AlwaysAtom

/**
 * Asks for one value: unknown when that is null, but for `isNull`. Of a list it asks whether some item passes (`isNull`:
 * whether it is empty), negated whether none does; that is never unknown, and a null item passes nothing.
 */
export interface ValueAtom {
  readonly kind: 'value'
  readonly reference: QueryReference
  readonly test: Test
  readonly negated: boolean
}

/** Compares two properties of a document. Unknown when either is null. */
export interface ComparisonAtom {
  readonly kind: 'comparison'
  readonly left: QueryReference
  readonly operator: '=' | '<' | '<='
  readonly right: QueryReference
  readonly negated: boolean
}

/** Compares two literals of which one depends on the present. Never unknown. */
export interface ConstantAtom {
  readonly kind: 'constant'
  readonly value: Literal
  readonly test: Test
  readonly negated: boolean
}

/** Whether the document is at the path, or strictly below it. Never unknown: a document without a place is at and below none. */
export interface PathAtom {
  readonly kind: 'path'
  readonly relation: 'at' | 'below'
  /** Without a slash at the end, but for the root. */
  readonly path: string
  readonly negated: boolean
}

/** Whether the path has one of the names at this depth, the first being 1. Never unknown: a document without a place has none. */
export interface SegmentAtom {
  readonly kind: 'segment'
  readonly depth: number
  readonly names: readonly string[]
  readonly negated: boolean
}

/** Whether the document is below the one with this id. Never unknown: a document without a place is below none. */
export interface AncestorAtom {
  readonly kind: 'ancestor'
  readonly id: string
  readonly negated: boolean
}

/** Whether the document is of one of the types, or was itself given one of the facets. Never unknown. */
export interface FacetAtom {
  readonly kind: 'facet'
  readonly types: readonly string[]
  readonly facets: readonly string[]
  readonly negated: boolean
}

/** Whether the words of a full-text index match. Never unknown. */
export interface FulltextAtom {
  readonly kind: 'fulltext'
  readonly index: string
  readonly query: FulltextQuery
  readonly negated: boolean
}

/** Whether one of the properties, or an item of one, matches as a hint asked. Never unknown. */
export interface HintedAtom {
  readonly kind: 'hinted'
  readonly references: readonly QueryReference[]
  readonly match: HintedMatch
  readonly negated: boolean
}

/** True of every document; negated, of none. */
export interface AlwaysAtom {
  readonly kind: 'always'
  readonly negated: boolean
}

export type Test =
  | { readonly kind: 'equals'; readonly value: Literal }
  | { readonly kind: 'oneOf'; readonly values: readonly Literal[] }
  /** At least one of both bounds is there. */
  | { readonly kind: 'range'; readonly low?: Bound; readonly high?: Bound }
  /** With `ignoresCase` the texts of the pattern are in lower case already (letter-case.ts). */
  | { readonly kind: 'like'; readonly pattern: readonly LikePiece[]; readonly ignoresCase: boolean }
  /** The text itself, or it with a slash and more behind it. */
  | { readonly kind: 'atOrBelow'; readonly root: string }
  | { readonly kind: 'isNull' }

export interface Bound {
  readonly value: Literal
  readonly isInclusive: boolean
}

/** A literal of the type of what it is compared with; numbers of both kinds compare with each other. */
export type Literal =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'long'; readonly value: Long }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'date'; readonly value: IsoDate }
  /** That long after the moment at which the query runs. */
  | { readonly kind: 'now'; readonly duration: Duration }

export const always: AlwaysAtom = { kind: 'always', negated: false }
export const never: AlwaysAtom = { kind: 'always', negated: true }

export function negate(atom: Atom): Atom {
  return { ...atom, negated: !atom.negated }
}

export function isJunction<Operand>(formula: { readonly kind: string } | Junction<Operand>): formula is Junction<Operand> {
  return formula.kind === 'and' || formula.kind === 'or'
}

/** The bindings on which an atom depends. */
export function bindingsOfAtom(atom: Atom): readonly BindingId[] {
  switch (atom.kind) {
    case 'value':
      return bindingsOf(atom.reference)
    case 'comparison':
      return [...bindingsOf(atom.left), ...bindingsOf(atom.right)]
    case 'hinted':
      return atom.references.flatMap(bindingsOf)
    case 'constant':
    case 'path':
    case 'segment':
    case 'ancestor':
    case 'facet':
    case 'fulltext':
    case 'always':
      return []
    default:
      return unreachable(atom)
  }
}
