import type { WriteSession } from '../../../core/session.ts'
import type { DocumentId } from '../../../model/document.ts'
import { actingName } from '../../../model/rights/principal.ts'
import { cancelRoute } from './cancel-workflow.ts'
import { openRoute } from './open-route.ts'
import type { RouteEnvironment } from './route-context.ts'
import { attachedIdsOf } from './route-documents.ts'
import { cancelWaiting, runRoute } from './run-route.ts'
import { childRoutes } from './start-workflow.ts'
import { workflowOver } from './workflow-problems.ts'

/**
 * Lets a node go on that waits, without anybody having completed its tasks, which are cancelled. An instance whose documents are all
 * gone is cancelled instead (contract: workflow 7.5).
 * @throws workflowNotFound, workflowOver, notResumable
 */
export async function resumeNode(
  environment: RouteEnvironment,
  session: WriteSession,
  { id, nodeId, isForced = false }: { readonly id: DocumentId; readonly nodeId: string; readonly isForced?: boolean },
): Promise<void> {
  const open = await openRoute(session, id)
  const { state } = open.route
  if (state !== 'running') throw workflowOver({ id, state })
  if (attachedIdsOf(open.route).length > 0 && (await open.attached()).length === 0) {
    return cancelRoute(environment, open, childRoutes)
  }
  const node = open.findNode(nodeId)
  if (node?.state === 'suspended') {
    await cancelWaiting(environment, open, nodeId, childRoutes)
    open.changeNode(nodeId, { 'rnode:lastActor': actingName(session.principal), 'rnode:button': null })
  }
  await runRoute(environment, open, { kind: 'resume', node: nodeId, isForced }, childRoutes)
  await open.write()
}
