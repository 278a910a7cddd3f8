import type { Formula, Test } from '../formula.ts'
import { defineMistake } from '../mistake.ts'
import { type Day, parseDay } from '../moment.ts'
import type { QueryReference } from '../reference.ts'
import type { ReferenceNode } from '../syntax/tree.ts'
import { type CheckContext, writtenText } from './context.ts'
import { daysBetween, daysCompared } from './day-range.ts'
import { invalidDate } from './literals.ts'
import { type Comparable, operatorOf, type Question } from './question.ts'

export const notADate = defineMistake('notADate', ({ name }: { name: string }) => `Cannot cast to DATE: ${name}`)

export const dayRequired = defineMistake(
  'dayRequired',
  ({ instead, written }: { instead: string; written: string }) =>
    `DATE() cast must be used with DATE literal, not ${instead}: ${written}`,
)

/**
 * `DATE(dc:created) = DATE '2024-05-01'` asks whether the moment lies within the day. Days become ranges of moments here, so that
 * no later step has to know when a day begins.
 */
export function checkDateCast(
  context: CheckContext,
  subject: ReferenceNode,
  reference: QueryReference,
  question: Question,
): Formula {
  if (reference.type !== 'date') throw notADate({ name: subject.name, offset: subject.offset })
  const { timeZone } = context.settings
  const day = (value: Comparable) => requireDay(context, value)
  const value = (test: Test, negated: boolean): Formula => ({ kind: 'value', reference, test, negated })
  switch (question.kind) {
    case 'comparison':
      return value(daysCompared(question.operator, day(question.value), timeZone), question.operator === '<>')
    case 'between':
      return value(daysBetween(day(question.low), day(question.high), timeZone), question.isNegated)
    case 'in': {
      // Each of them is a range by itself.
      context.tally.add('predicates', subject.offset, question.values.length)
      const operands = question.values.map(day).map((one) => value(daysBetween(one, one, timeZone), false))
      return question.isNegated ? { kind: 'not', operand: { kind: 'or', operands } } : { kind: 'or', operands }
    }
    case 'null':
      return value({ kind: 'isNull' }, question.isNegated)
    default:
      throw dayRequired({ instead: operatorOf(question), written: writtenText(context, subject), offset: subject.offset })
  }
}

/** @throws dayRequired, invalidDate */
function requireDay(context: CheckContext, value: Comparable): Day {
  if (value.kind !== 'date') {
    throw dayRequired({ instead: value.kind.toUpperCase(), written: writtenText(context, value), offset: value.offset })
  }
  const day = parseDay(value.text)
  if (day === undefined) throw invalidDate({ text: value.text, offset: value.offset })
  return day
}
