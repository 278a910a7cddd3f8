import type { Formula } from '../formula.ts'
import { tokenise } from '../fulltext/fulltext-tokens.ts'
import { type HintedMatch, hintedMatch } from '../fulltext/hinted-match.ts'
import type { LiteralNode, ReferenceNode } from '../syntax/tree.ts'
import type { CheckContext } from './context.ts'
import type { Question } from './question.ts'
import { requirePattern } from './required.ts'
import { resolveReference } from './resolve-reference.ts'

/**
 * What a hint with an operator makes of a predicate: the operator of the hint counts, that of the query does not. Undefined where
 * the predicate stays as it is written.
 * @throws unknownHintOperator, noSuchProperty
 */
export function checkHint(context: CheckContext, subject: ReferenceNode, question: Question): Formula | undefined {
  const { hint } = subject
  if (hint?.operator === undefined) return checkLevel(subject, question)
  const texts = textsOf(question)
  const match = hintedMatch(hint.operator, texts, subject)
  const names = fieldsOf(subject)
  if (match === undefined || texts.length === 0 || names.length === 0) return undefined
  countMatch(context, subject, names.length, match)
  if (match.kind === 'wildcard' || match.kind === 'regex') {
    for (const text of texts) requirePattern(context, text, /[*?.]/g, subject)
  }
  const references = names.map((name) => resolveReference(context, { ...subject, name }, 'where'))
  return { kind: 'hinted', references, match, negated: false }
}

/** Each field is asked for each of the words. @throws queryTooLarge */
function countMatch({ tally }: CheckContext, { offset }: ReferenceNode, fields: number, match: HintedMatch): void {
  const words = wordsSought(match)
  tally.add('words', offset, words)
  tally.add('predicates', offset, fields * Math.max(1, words))
  if (match.kind === 'fuzzy') tally.add('fuzzyWords', offset, fields * words)
  if (match.kind === 'phrase' && match.isPrefix) tally.add('prefixes', offset, fields)
  if (match.kind === 'regex') tally.add('fuzzyWords', offset, fields * match.expressions.length)
}

function wordsSought(match: HintedMatch): number {
  switch (match.kind) {
    case 'words':
    case 'phrase':
    case 'fuzzy':
      return match.words.length
    case 'similar':
      return match.to.flatMap(tokenise).length
    default:
      return 0
  }
}

const levelField = /^ecm:path@level([1-9]\d?)$/

/** The level of a path that a field of an index engine holds. */
export function findPathLevel(field: string): number | undefined {
  const [, level] = levelField.exec(field) ?? []
  return level === undefined ? undefined : Number(level)
}

/** An index engine keeps each level of a path in a field of its own; to be one of some texts there is asked here as well. */
function checkLevel({ name, hint }: ReferenceNode, question: Question): Formula | undefined {
  const level = findPathLevel(hint?.fields.join(',') ?? '')
  const isEquality = question.kind === 'comparison' ? question.operator === '=' : question.kind === 'in' && !question.isNegated
  if (name !== 'ecm:path' || level === undefined || !isEquality) return undefined
  return { kind: 'segment', depth: level, names: textsOf(question), negated: false }
}

function textsOf(question: Question): readonly string[] {
  switch (question.kind) {
    case 'comparison':
      return isText(question.value) ? [question.value.value] : []
    case 'in':
      return question.values.flatMap((value) => (isText(value) ? value.value : []))
    case 'like':
      return [question.pattern]
    case 'startsWith':
      return [question.root]
    default:
      return []
  }
}

function isText(node: { readonly kind: string }): node is LiteralNode & { kind: 'string' } {
  return node.kind === 'string'
}

/** The properties behind the fields of an index engine: `dc:title.fulltext^3` is `dc:title` there. */
function fieldsOf({ name, hint }: ReferenceNode): readonly string[] {
  const fields = hint?.fields ?? []
  if (fields.length > 0)
    return fields.map((field) => field.replace(/\^[\d.]+$/, '').replace(/\.(?:fulltext|lowercase|ngram)$/, ''))
  const property = name.replace(/^ecm:fulltext\./, '')
  return property.startsWith('ecm:fulltext') ? [] : [property]
}
