import type { Model } from '../../model/model.ts'
import { typeOnlyFacets, unseenFacets } from '../facet-rules.ts'
import type { FacetAtom, Formula } from '../formula.ts'
import { defineMistake } from '../mistake.ts'
import type { QueryReference } from '../reference.ts'
import type { LiteralNode, ReferenceNode } from '../syntax/tree.ts'
import type { CheckContext } from './context.ts'
import { truthOf } from './literals.ts'
import { type Comparable, operatorOf, type Question } from './question.ts'
import { argumentRequired, operatorRequired } from './required.ts'

export const unknownFacetOperator = defineMistake(
  'unknownFacetOperator',
  ({ operator }: { operator: string }) => `ecm:mixinType unknown operator: ${operator}`,
)

/** `ecm:path`: is it, is it not, or is it below. */
export function checkPath(subject: ReferenceNode, question: Question): Formula {
  if (question.kind === 'startsWith') {
    return { kind: 'path', relation: 'below', path: withoutFinalSlash(question.root), negated: false }
  }
  const { value, negated } = requireEquality(subject, question)
  const path = withoutFinalSlash(requireString(subject, value, 'literal path'))
  return { kind: 'path', relation: 'at', path, negated }
}

/** `ecm:ancestorId`. */
export function checkAncestor(subject: ReferenceNode, question: Question): Formula {
  const { value, negated } = requireEquality(subject, question)
  return { kind: 'ancestor', id: requireString(subject, value, 'literal id'), negated }
}

/** `ecm:isVersion` and its like, which are never null. */
export function checkFlag(subject: ReferenceNode, reference: QueryReference, question: Question): Formula {
  // A column that a list is sorted by may be asked whether it is there; ecm:isTrashed is none.
  const isSortable = subject.name !== 'ecm:isTrashed'
  if (question.kind === 'null' && isSortable) return { kind: 'always', negated: !question.isNegated }
  const { value, negated } = requireEquality(subject, question)
  const truth = value.kind === 'integer' ? truthOf(value) : undefined
  if (truth === undefined) throw refuseArgument(subject, value, 'literal 0 or 1')
  return { kind: 'value', reference, test: { kind: 'equals', value: { kind: 'boolean', value: truth } }, negated }
}

/** `ecm:mixinType`: has one of the facets, or has none of them. */
export function checkFacet({ model }: CheckContext, subject: ReferenceNode, question: Question): Formula {
  const isNamed = (value: Comparable) => requireString(subject, value, 'literal string')
  if (question.kind === 'in') return facetAtom(model, question.values.map(isNamed), question.isNegated)
  if (question.kind === 'comparison' && (question.operator === '=' || question.operator === '<>')) {
    return facetAtom(model, [isNamed(question.value)], question.operator === '<>')
  }
  throw unknownFacetOperator({ operator: operatorOf(question), offset: subject.offset })
}

function facetAtom(model: Model, asked: readonly string[], negated: boolean): FacetAtom {
  const seen = asked.filter((facet) => !unseenFacets.has(facet))
  return {
    kind: 'facet',
    types: [...new Set(seen.flatMap((facet) => model.typesWithFacet(facet)))],
    facets: seen.filter((facet) => !typeOnlyFacets.has(facet)),
    negated,
  }
}

function requireEquality(subject: ReferenceNode, question: Question): { readonly value: Comparable; readonly negated: boolean } {
  if (question.kind === 'comparison' && question.operator === '=') return { value: question.value, negated: false }
  if (question.kind === 'comparison' && question.operator === '<>') return { value: question.value, negated: true }
  throw operatorRequired({ name: subject.name, offset: subject.offset })
}

function requireString(subject: ReferenceNode, value: Comparable, wanted: string): string {
  if (value.kind === 'string') return value.value
  throw refuseArgument(subject, value, wanted)
}

function refuseArgument({ name }: ReferenceNode, { offset }: Comparable | LiteralNode, wanted: string) {
  return argumentRequired({ name, wanted, offset })
}

function withoutFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
