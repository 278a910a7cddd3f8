import { unreachable } from '../../base/unreachable.ts'
import type { Formula } from '../formula.ts'
import type { QueryReference } from '../reference.ts'
import type { ReferenceNode } from '../syntax/tree.ts'
import { type SystemProperty, systemProperties } from '../system-properties.ts'
import { checkDateCast } from './check-date-cast.ts'
import { checkFulltext, isFulltextName } from './check-fulltext.ts'
import { checkHint } from './check-hint.ts'
import { checkAncestor, checkFacet, checkFlag, checkPath } from './check-system-condition.ts'
import { checkValue } from './check-value.ts'
import type { CheckContext } from './context.ts'
import type { Question } from './question.ts'
import { resolveReference } from './resolve-reference.ts'

/** What is asked of one property, by the rules that hold for it. */
export function checkCondition(context: CheckContext, subject: ReferenceNode, question: Question): Formula {
  const hinted = checkHint(context, subject, question)
  if (hinted !== undefined) return hinted
  if (isFulltextName(subject.name)) return checkFulltext(context, subject, question)
  const reference = resolveReference(context, subject, 'where')
  if (subject.isCastToDate) return checkDateCast(context, subject, reference, question)
  const rule = ruleOf(reference)
  switch (rule) {
    case 'path':
      return checkPath(subject, question)
    case 'ancestor':
      return checkAncestor(subject, question)
    case 'facet':
      return checkFacet(context, subject, question)
    case 'flag':
      return checkFlag(subject, reference, question)
    case undefined:
      return checkValue(context, subject, reference, question)
    default:
      return unreachable(rule)
  }
}

function ruleOf(reference: QueryReference): SystemProperty['rule'] {
  if (reference.kind !== 'system') return undefined
  const property: SystemProperty = systemProperties[reference.name]
  return property.rule
}
