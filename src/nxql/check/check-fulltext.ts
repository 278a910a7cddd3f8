import { always, type Formula, never, type Test } from '../formula.ts'
import { type FulltextAlternative, type FulltextTerm, parseFulltext } from '../fulltext/fulltext-expression.ts'
import { parseSimpleQuery, simplePrefix } from '../fulltext/simple-query-string.ts'
import { containingInOrder } from '../like-pattern.ts'
import { defineMistake } from '../mistake.ts'
import { join } from '../normal-form.ts'
import { defaultFulltextIndex, type FulltextIndexes } from '../query-settings.ts'
import type { QueryReference } from '../reference.ts'
import type { ReferenceNode } from '../syntax/tree.ts'
import { findSystemName } from '../system-properties.ts'
import type { CheckContext } from './context.ts'
import { findField } from './field-path.ts'
import type { Question } from './question.ts'
import { argumentRequired, textRequired } from './required.ts'
import { noSuchProperty, notInThisClause } from './resolve-reference.ts'

const fulltextName = 'ecm:fulltext'
export const scoreName = 'ecm:fulltextScore'

export const fulltextOperatorRequired = defineMistake(
  'fulltextOperatorRequired',
  () => `${fulltextName} requires = or LIKE operator`,
)

export const noSuchFulltextIndex = defineMistake(
  'noSuchFulltextIndex',
  ({ index }: { index: string }) => `No such fulltext index: ${index}`,
)

export const fulltextDisabled = defineMistake('fulltextDisabled', () => 'Fulltext search disabled by configuration')

/** `ecm:fulltext`, `ecm:fulltext_title`, `ecm:fulltext.dc:title`, and what is neither of them but begins so. */
export function isFulltextName(name: string): boolean {
  return name.startsWith(fulltextName) && findSystemName(name) === undefined
}

/** Whether words match: those of an index, or, where no index has just this property, those in its text. */
export function checkFulltext(context: CheckContext, subject: ReferenceNode, question: Question): Formula {
  const { name, offset } = subject
  const { fulltextIndexes } = context.settings
  if (name === scoreName) throw notInThisClause({ name, clause: 'where', offset })
  if (fulltextIndexes === undefined) throw fulltextDisabled({ offset })
  const source = sourceOf(context, subject, fulltextIndexes)
  const alternatives = readAlternatives(requireExpression(subject, question), offset, context)
  if (source.kind === 'index') return inIndex(source.index, alternatives)
  const formulas = alternatives.map((alternative) => inText(source.reference, alternative))
  return formulas.length === 0 ? never : join<Formula>('or', formulas)
}

function readAlternatives(expression: string, offset: number, { tally }: CheckContext): readonly FulltextAlternative[] {
  if (!expression.startsWith(simplePrefix)) return parseFulltext(expression, offset, tally).alternatives
  return parseSimpleQuery(expression.slice(simplePrefix.length), offset, tally).alternatives
}

/** One match of all that requires a word, by which what is found is ordered; and what has none of the words that are excluded alone. */
function inIndex(index: string, alternatives: readonly FulltextAlternative[]): Formula {
  const matching = alternatives.filter(({ required }) => required.length > 0)
  const others = alternatives.filter(({ required }) => required.length === 0)
  const match = (wanted: readonly FulltextAlternative[], negated: boolean): Formula => ({
    kind: 'fulltext',
    index,
    query: { alternatives: wanted },
    negated,
  })
  const without = others.map(({ excluded }) =>
    excluded.length === 0
      ? always
      : match(
          excluded.map((term) => ({ required: [term], excluded: [] })),
          true,
        ),
  )
  return matching.length > 0 || without.length === 0
    ? join<Formula>('or', [match(matching, false), ...without])
    : join<Formula>('or', without)
}

type Source = { readonly kind: 'index'; readonly index: string } | { readonly kind: 'text'; readonly reference: QueryReference }

function sourceOf(context: CheckContext, { name, offset }: ReferenceNode, indexes: FulltextIndexes): Source {
  const separator = name[fulltextName.length]
  const rest = name.slice(fulltextName.length + 1)
  if (separator === undefined) return { kind: 'index', index: defaultFulltextIndex }
  if (separator === '_') {
    if (!indexes.has(rest)) throw noSuchFulltextIndex({ index: rest, offset })
    return { kind: 'index', index: rest }
  }
  const reference = separator === '.' ? findField(context.model, context.bindings, rest) : undefined
  if (reference === undefined) throw noSuchProperty({ name, offset })
  const index = indexOf(reference.identity, indexes)
  if (index !== undefined) return { kind: 'index', index }
  if (reference.type !== 'string') throw textRequired({ operator: fulltextName, name: rest, offset })
  return { kind: 'text', reference }
}

/** The index of nothing but this property. */
function indexOf(property: string, indexes: FulltextIndexes): string | undefined {
  for (const [index, fields] of indexes) {
    if (fields !== 'everything' && fields.length === 1 && fields[0] === property) return index
  }
  return undefined
}

function requireExpression({ offset }: ReferenceNode, question: Question): string {
  if (question.kind === 'like' && !question.isNegated && !question.ignoresCase) return question.pattern
  if (question.kind !== 'comparison' || question.operator !== '=') throw fulltextOperatorRequired({ offset })
  const { value } = question
  if (value.kind === 'string') return value.value
  throw argumentRequired({ name: fulltextName, wanted: 'literal string', offset: value.offset })
}

/** The required words in their order, and none of the excluded ones. */
function inText(reference: QueryReference, { required, excluded }: FulltextAlternative): Formula {
  const contains = (terms: readonly FulltextTerm[], negated: boolean): Formula => {
    const pattern = containingInOrder(terms.flatMap((term) => term.written))
    const test: Test = { kind: 'like', pattern, ignoresCase: true }
    return { kind: 'value', reference, test, negated }
  }
  const without = excluded.map((term) => contains([term], true))
  if (required.length > 0) return join<Formula>('and', [contains(required, false), ...without])
  // A text that is not there has none of the words.
  const isMissing: Formula = { kind: 'value', reference, test: { kind: 'isNull' }, negated: false }
  return without.length === 0 ? always : join<Formula>('or', [isMissing, join<Formula>('and', without)])
}
