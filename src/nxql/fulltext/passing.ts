import type { IsoDate } from '../../base/iso-date.ts'
import { compareText } from '../code-point-order.ts'
import { addDuration } from '../duration.ts'
import type { Bound, ConstantAtom, Literal, Test } from '../formula.ts'
import { lowerCase } from '../letter-case.ts'
import { matchesLike } from '../like-pattern.ts'

/** A value that is not null. Dates are ISO text. */
export type Scalar = string | number | bigint | boolean

/** Whether a value passes a test at a moment. It has the type that the test is about. */
export function passes(test: Test, value: Scalar, now: IsoDate): boolean {
  switch (test.kind) {
    case 'equals':
      return compareScalars(value, scalarOf(test.value, now)) === 0
    case 'oneOf':
      return test.values.some((one) => compareScalars(value, scalarOf(one, now)) === 0)
    case 'range':
      return isWithin(value, test.low, 1, now) && isWithin(value, test.high, -1, now)
    case 'like':
      return matchesLike(test.pattern, test.ignoresCase ? lowerCase(String(value)) : String(value))
    case 'atOrBelow':
      return value === test.root || String(value).startsWith(`${test.root}/`)
    default:
      return false
  }
}

/** Whether a constant holds at a moment. */
export function isTrueAt(atom: ConstantAtom, now: IsoDate): boolean {
  return passes(atom.test, scalarOf(atom.value, now), now) !== atom.negated
}

export function scalarOf(literal: Literal, now: IsoDate): Scalar {
  return literal.kind === 'now' ? addDuration(now, literal.duration) : literal.value
}

/** Negative, zero or positive, as the first comes before the second, is equal to it, or comes behind. */
export function compareScalars(left: Scalar, right: Scalar): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  if (left === right || (left <= right && left >= right)) return 0
  return left < right ? -1 : 1
}

function isWithin(value: Scalar, bound: Bound | undefined, direction: 1 | -1, now: IsoDate): boolean {
  if (bound === undefined) return true
  const difference = compareScalars(value, scalarOf(bound.value, now)) * direction
  return bound.isInclusive ? difference >= 0 : difference > 0
}
