import { announce } from '../../../core/event.ts'
import { hasPermission, requirePermission } from '../../../core/permissions.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { DocumentId } from '../../../model/document.ts'
import { planCancellation } from '../engine/plan-cancel.ts'
import { looksAfter } from './choose-people.ts'
import { type OpenRoute, openRoute } from './open-route.ts'
import type { RouteEnvironment } from './route-context.ts'
import { textAt } from './route-documents.ts'
import { tellOfRoute } from './route-events.ts'
import { type ChildRoutes, cancelWaiting } from './run-route.ts'
import { notCancellable, workflowOver } from './workflow-problems.ts'

/**
 * Ends an instance before its end: its tasks are cancelled, and what was granted for them is taken back. It stays to be looked at.
 * @throws workflowNotFound, privilegeMissing, notCancellable, workflowOver
 */
export async function cancelWorkflow(
  environment: RouteEnvironment,
  session: WriteSession,
  id: DocumentId,
  children: ChildRoutes,
): Promise<void> {
  const open = await openRoute(session, id)
  const { principal } = session
  if (!looksAfter(session, open.route)) {
    if (!(await hasPermission(session, open.route, 'Read'))) await requirePermission(session, open.route, 'Read')
    throw notCancellable({ principal: principal.name })
  }
  const { state } = open.route
  if (state !== 'running' && state !== 'ready') throw workflowOver({ id, state })
  await cancelRoute(environment, open, children)
}

/** The same, whoever asks. */
export async function cancelRoute(environment: RouteEnvironment, open: OpenRoute, children: ChildRoutes): Promise<void> {
  const { session } = open
  const { state, waiting } = planCancellation(open.graph, open.state)
  await tellOfRoute(open, 'beforeWorkflowCanceled', { pendingNodes: waiting.map((id) => open.node(id).id) })
  for (const node of waiting) await cancelWaiting(environment, open, node, children)
  open.state = state
  open.route = { ...open.route, state: 'canceled' }
  const properties = { wfName: textAt(open.route, 'dc:title') ?? null, wfId: open.route.id }
  for (const document of await open.attached()) open.tell(() => announce(session, 'workflowCanceled', document, { properties }))
  await open.write()
}
