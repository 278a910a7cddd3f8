import { isConditionMet } from '../../../automation/expressions/evaluate-condition.ts'
import { openContext } from '../../../automation/run/open-context.ts'
import { defineProblem } from '../../../base/problem.ts'
import { accessIn } from '../../../core/access.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { RouteEnvironment } from './route-context.ts'
import { textAt } from './route-documents.ts'

export const notAvailable = defineProblem(
  'notAvailable',
  'forbidden',
  (of: { model: string; id: string }) => `The workflow ${of.model} is not for the document ${of.id}, or not for you.`,
)

/** Whether a model is offered on a document to the caller. A filter that nobody defines any more accepts nothing. */
export async function isAvailable(
  { services, host, budget }: RouteEnvironment,
  session: Session,
  model: Document,
  document: Document,
): Promise<boolean> {
  const filter = textAt(model, 'docri:availabilityFilter')
  if (filter === undefined) return true
  const condition = services.workflows
    .values()
    .map(({ availability }) => availability)
    .find((availability) => availability?.id === filter)?.condition
  if (condition === undefined) return false
  const environment = { access: accessIn(session), operations: services.operations, services, host, ...(budget && { budget }) }
  return isConditionMet(openContext(environment, session).on({ kind: 'document', document }), condition)
}
