import { unreachable } from '../../base/unreachable.ts'
import type { Interval } from '../field.ts'
import { isMaximumInclusive, isMinimumInclusive, type Rule } from './constraint.ts'
import { invalidValueText, type Violation } from './violation.ts'
import { english, french, type ViolationTextKey, type ViolationTexts } from './violation-texts.ts'

const shownLength = 15

/** What is wrong with a value, in the language of the locale or else in English. */
export function violationMessage(violation: Violation, locale: string): string {
  const texts = /^fr(?:[-_]|$)/i.test(locale) ? french : english
  const { key, parameters } = word(violation, texts)
  return filled(texts[key], parameters)
}

interface Wording {
  readonly key: ViolationTextKey
  readonly parameters: readonly string[]
}

function word(violation: Violation, texts: ViolationTexts): Wording {
  const { constraint } = violation
  const value = shortened(invalidValueText(violation) ?? '')
  switch (constraint.kind) {
    case 'notNull':
      return { key: 'notNull', parameters: [] }
    case 'type':
      return { key: `type.${constraint.type}`, parameters: [value] }
    case 'pattern':
      return { key: 'pattern', parameters: [constraint.pattern] }
    case 'enum':
      return { key: 'enum', parameters: [constraint.values.join(', ')] }
    case 'length':
      return wordLength(constraint)
    case 'numericInterval':
      return { key: 'number', parameters: [wordInterval(constraint, 'number', texts)] }
    case 'dateInterval':
      return { key: 'date', parameters: [wordInterval(constraint, 'date', texts)] }
    case 'user':
      return { key: `user.${constraint.type}`, parameters: [value] }
    case 'directory':
      return { key: 'directory', parameters: [value, constraint.directory] }
    case 'document':
      return { key: 'document', parameters: [value] }
    default:
      return unreachable(constraint)
  }
}

function wordLength({ minimum, maximum }: Extract<Rule, { kind: 'length' }>): Wording {
  if (minimum === undefined) return { key: 'length.atMost', parameters: [String(maximum)] }
  if (maximum === undefined) return { key: 'length.atLeast', parameters: [String(minimum)] }
  return { key: 'length.between', parameters: [String(minimum), String(maximum)] }
}

function wordInterval(interval: Interval<number | string>, of: 'number' | 'date', texts: ViolationTexts): string {
  const bounds: string[] = []
  if (interval.minimum !== undefined) {
    const key = isMinimumInclusive(interval) ? 'fromInclusive' : 'fromExclusive'
    bounds.push(filled(texts[`${of}.${key}`], [String(interval.minimum)]))
  }
  if (interval.maximum !== undefined) {
    const key = isMaximumInclusive(interval) ? 'toInclusive' : 'toExclusive'
    bounds.push(filled(texts[`${of}.${key}`], [String(interval.maximum)]))
  }
  return bounds.join(texts.and)
}

function shortened(text: string): string {
  if (text.length <= shownLength) return text
  // By code points, so that no half of a surrogate pair is shown.
  return `${Array.from(text.slice(0, 2 * shownLength))
    .slice(0, shownLength)
    .join('')}...`
}

function filled(template: string, parameters: readonly string[]): string {
  return template.replace(/\{(\d)\}/g, (placeholder, index) => parameters[Number(index)] ?? placeholder)
}
