import { defineProblem } from '../../../base/problem.ts'
import type { Model } from '../../../model/model.ts'
import { sanitiseFulltext } from '../../../nxql/fulltext/fulltext-sanitise.ts'
import type { SearchRules } from '../search-rules.ts'
import { comparedType, literalsOf } from './criterion-text.ts'
import { listed, quoted } from './nxql-text.ts'
import type { Predicate } from './predicate.ts'
import type { Criteria, Criterion } from './search-document.ts'

export const unsupportedOperator = defineProblem(
  'unsupportedOperator',
  'invalid',
  (of: { operator: string }) => `Unsupported operator: ${of.operator}`,
)

interface Asked {
  /** With its hint before it. */
  readonly subject: string
  readonly predicate: Predicate
  readonly model: Model
  readonly rules: SearchRules
  readonly criteria: readonly (Criterion | undefined)[]
}

/** The condition in NXQL, or undefined when nothing was filled in. @throws unsupportedOperator */
export function predicateText(
  predicate: Predicate,
  { model, rules, criteria }: { readonly model: Model; readonly rules: SearchRules; readonly criteria: Criteria },
): string | undefined {
  const asked: Asked = {
    subject: `${predicate.hint === undefined ? '' : `/*+${predicate.hint} */ `}${predicate.property}`,
    predicate,
    model,
    rules,
    criteria: predicate.fields.map((field) => criteria.findField(field)),
  }
  if (predicate.kind === 'subClause') return subClause(asked)
  const operator = operatorOf(predicate, criteria)
  const write = writers.get(operator)
  if (write === undefined) throw unsupportedOperator({ operator })
  return write(asked, operator)
}

export function isSupportedOperator(operator: string): boolean {
  return writers.has(operator.trim().toUpperCase())
}

function operatorOf({ operator = '', operatorField }: Predicate, criteria: Criteria): string {
  const chosen = operatorField && criteria.findField(operatorField)?.value
  return (typeof chosen === 'string' && chosen !== '' ? chosen : operator).trim().toUpperCase()
}

type Writer = (asked: Asked, operator: string) => string | undefined

const writers: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ...['=', '!=', '<>', '<', '>', '<=', '>=', 'LIKE', 'ILIKE', 'NOT LIKE', 'NOT ILIKE'].map((operator): [string, Writer] => [
    operator,
    comparison,
  ]),
  ['BETWEEN', between],
  ['IN', (asked) => oneOf(asked, 'IN', '=')],
  ['NOT IN', (asked) => oneOf(asked, 'NOT IN', '!=')],
  ['STARTSWITH', startsWith],
  ['FULLTEXT', fulltext],
  ['FULLTEXT ALL', fulltext],
  ['EMPTY', ({ subject }) => `${subject} = ''`],
  ['ISEMPTY', ({ subject }) => `${subject} = ''`],
  ['IS NULL', isNull],
])

function comparison(asked: Asked, operator: string): string | undefined {
  const [literal] = literalsAt(asked, 0)
  return literal && `${asked.subject} ${operator} ${literal}`
}

function between(asked: Asked): string | undefined {
  const [[low], [high]] = [literalsAt(asked, 0), literalsAt(asked, 1)]
  if (low !== undefined && high !== undefined) return `${asked.subject} BETWEEN ${low} AND ${high}`
  if (low !== undefined) return `${asked.subject} >= ${low}`
  return high && `${asked.subject} <= ${high}`
}

function oneOf(asked: Asked, many: string, one: string): string | undefined {
  const literals = literalsAt(asked, 0)
  // The language knows no list of ancestors.
  if (asked.predicate.property === 'ecm:ancestorId') return eachOf(asked, one, literals)
  if (literals.length > 1) return `${asked.subject} ${many} ${listed(literals)}`
  return literals[0] && `${asked.subject} ${one} ${literals[0]}`
}

function startsWith(asked: Asked): string | undefined {
  return eachOf(asked, 'STARTSWITH', literalsAt(asked, 0))
}

function eachOf({ subject }: Asked, operator: string, literals: readonly string[]): string | undefined {
  const tests = literals.map((literal) => `${subject} ${operator} ${literal}`)
  return tests.length > 1 ? `(${tests.join(operator === '!=' ? ' AND ' : ' OR ')})` : tests[0]
}

function fulltext({ subject, predicate: { property }, criteria: [criterion], rules }: Asked): string | undefined {
  const typed = criterion?.value
  if (typeof typed !== 'string' || typed.trim() === '') return undefined
  const index = property.startsWith('ecm:fulltext') ? property : `ecm:fulltext.${property}`
  return `${subject.slice(0, -property.length)}${index} = ${quoted(sanitiseFulltext(typed, rules.ignoredCharacters))}`
}

function isNull({ subject, criteria: [criterion] }: Asked): string | undefined {
  const value = criterion?.value
  if (value === true || value === 'true') return `${subject} IS NULL`
  return value === false || value === 'false' ? `${subject} IS NOT NULL` : undefined
}

function subClause({ criteria: [criterion] }: Asked): string | undefined {
  const value = criterion?.value
  return typeof value === 'string' && value.trim() !== '' ? `(${value})` : undefined
}

function literalsAt({ criteria, model, predicate, rules }: Asked, index: number): readonly string[] {
  const criterion = criteria[index]
  if (criterion === undefined) return []
  return literalsOf(criterion, rules.query.timeZone, comparedType(model, predicate.property))
}
