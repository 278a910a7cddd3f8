import { isConditionMet } from '../../automation/expressions/evaluate-condition.ts'
import { openContext } from '../../automation/run/open-context.ts'
import type { Value } from '../../automation/values/value.ts'
import { Problem } from '../../base/problem.ts'
import { accessIn, actingAs } from '../../core/access.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { createPrincipal } from '../../model/rights/principal.ts'
import { backgroundEnvironment } from '../../rest/operations/background-environment.ts'
import type { Services } from '../../rest/services.ts'

/** What an expression of a rule may ask: whether it holds for this document, with what the event has brought along. */
export interface RuleCondition {
  readonly expression: string | undefined
  readonly document: Document
  readonly eventInput?: string | undefined
}

// It is asked without anybody's rights: it sees its document, and finds no other one.
const nobody = createPrincipal('', [], { isAdministrator: false })

/**
 * Whether an expression holds; one that is not there does. One that fails on a document does not hold for it, and the log says why: a rule
 * must not stop others, nor a user at work who has not written it.
 */
export async function holds(services: Services, session: WriteSession, condition: RuleCondition): Promise<boolean> {
  const { expression, document, eventInput } = condition
  if (expression === undefined) return true
  const acting = actingAs(session, nobody)
  const environment = backgroundEnvironment({ access: accessIn(acting), services, baseUrl: '' })
  const shown: Value = { kind: 'document', document }
  const bindings = new Map<string, Value>([
    ['document', shown],
    ['currentDate', { kind: 'date', date: session.now }],
    ['eventInput', eventInput === undefined ? { kind: 'nothing' } : { kind: 'string', text: eventInput }],
  ])
  try {
    return await isConditionMet(openContext(environment, acting).on(shown), expression, bindings)
  } catch (err) {
    if (!(err instanceof Problem)) throw err
    const about = { event: 'retention.conditionFailed', document: document.id, expression, err }
    session.repository.log.warn(about, 'the condition of a retention rule could not be told')
    return false
  }
}
