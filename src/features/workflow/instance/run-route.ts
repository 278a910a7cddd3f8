import { announce } from '../../../core/event.ts'
import { shortRemark } from '../../../core/short-text.ts'
import { actingName } from '../../../model/rights/principal.ts'
import { planRun, type RouteCause, type RouteEffect } from '../engine/plan-run.ts'
import { cancelTasks, openTasks, scopeOf } from '../tasks/open-tasks.ts'
import { type OpenRoute, openRoute } from './open-route.ts'
import { evaluatedText, holds, type RouteEnvironment, runChain } from './route-context.ts'
import { textAt, withTaskRows } from './route-documents.ts'
import { tellOfRoute, timeSince } from './route-events.ts'

/** How far a request has come, in all the workflows that begin or resume one another by it. */
export interface RunProgress {
  visits: number
}

/** How another workflow is begun and cancelled; the engine knows only that it can be. */
export interface ChildRoutes {
  start(
    environment: RouteEnvironment,
    parent: OpenRoute,
    nodeId: string,
    progress: RunProgress,
  ): Promise<{ readonly isDone: boolean }>
  cancel(environment: RouteEnvironment, open: OpenRoute): Promise<void>
}

/**
 * Runs an instance until all that is left of it waits, and gathers what that changes; `write` of the instance stores it. Whether it
 * is done is its state.
 */
export async function runRoute(
  environment: RouteEnvironment,
  open: OpenRoute,
  cause: RouteCause,
  children: ChildRoutes,
  progress: RunProgress = { visits: 0 },
): Promise<void> {
  const begun: string[] = []
  const run = planRun(open.graph, open.state, cause, progress.visits)
  let answer = false
  for (;;) {
    const { value, done } = run.next(answer)
    if (done) {
      open.state = value.state
      progress.visits = value.visits
      if (value.isDone) return finish(environment, open, children, progress)
      break
    }
    if (value.kind === 'openChild') begun.push(value.node)
    answer = await carryOut(environment, open, value, children)
  }
  for (const node of begun) {
    const { isDone } = await children.start(environment, open, node, progress)
    if (isDone) await runRoute(environment, open, { kind: 'resume', node }, children, progress)
  }
}

async function carryOut(
  environment: RouteEnvironment,
  open: OpenRoute,
  effect: RouteEffect,
  children: ChildRoutes,
): Promise<boolean> {
  const { node: id } = effect
  const { session } = open
  switch (effect.kind) {
    case 'enter':
      open.setNode(withTaskRows(open.node(id), []))
      open.changeNode(id, { 'rnode:startDate': session.now, 'rnode:button': null })
      return false
    case 'leave':
      open.changeNode(id, { 'rnode:endDate': session.now })
      return false
    case 'openTasks':
      await openTasks(environment, open, id)
      return false
    case 'cancelWaiting':
      await cancelWaiting(environment, open, id, children)
      return false
    case 'runChain': {
      const nodeState = 'of' in effect && effect.of === 'input' ? 'running_input' : 'running_output'
      const place = { node: open.node(id), nodeState, ...('transition' in effect && { transition: effect.transition }) }
      await runChain(environment, open, place, effect.chain)
      return false
    }
    case 'decide': {
      const { name, condition } = effect.transition
      const place = { node: open.node(id), nodeState: 'running_output', transition: name }
      return holds(environment, await scopeOf(open), place, condition)
    }
    default:
      return false
  }
}

/** What a node waits for is no longer needed: its tasks, or the workflow that it began. */
export async function cancelWaiting(
  environment: RouteEnvironment,
  open: OpenRoute,
  nodeId: string,
  children: ChildRoutes,
): Promise<void> {
  await cancelTasks(open, nodeId)
  const child = textAt(open.node(nodeId), 'rnode:subRouteInstanceId')
  if (child === undefined) return
  const route = await open.session.tx.documents.find(child)
  if (route === undefined || route.state !== 'running') return
  await children.cancel(environment, await openRoute(open.session, child))
}

async function finish(
  environment: RouteEnvironment,
  open: OpenRoute,
  children: ChildRoutes,
  progress: RunProgress,
): Promise<void> {
  const { session } = open
  open.route = { ...open.route, state: 'done' }
  const { millis } = timeSince(session, open.route)
  await tellOfRoute(open, 'afterRouteFinish')
  await tellOfRoute(open, 'afterWorkflowFinish', millis === undefined ? {} : { timeSinceWfStarted: millis })
  for (const document of await open.attached()) {
    const comment = shortRemark(textAt(open.route, 'dc:title') ?? '')
    open.tell(() => announce(session, 'auditLogRoute', document, { comment: comment || null }))
  }
  await resumeParent(environment, open, children, progress)
}

/** A workflow that was begun at a node of another one lets that go on. */
async function resumeParent(
  environment: RouteEnvironment,
  child: OpenRoute,
  children: ChildRoutes,
  progress: RunProgress,
): Promise<void> {
  const [parentId, node] = [textAt(child.route, 'docri:parentRouteInstanceId'), textAt(child.route, 'docri:parentRouteNodeId')]
  if (parentId === undefined || node === undefined) return
  const found = await child.session.tx.documents.find(parentId)
  // Where the child never waited, the parent is told by whoever began it.
  if (found === undefined || found.state !== 'running') return
  const parent = await openRoute(child.session, parentId)
  const waiting = parent.findNode(node)
  if (waiting?.state !== 'suspended' || textAt(waiting, 'rnode:subRouteInstanceId') !== child.route.id) return
  await child.write()
  parent.isChosenHere ||= child.isChosenHere
  parent.changeNode(node, { 'rnode:lastActor': actingName(child.session.principal) })
  await runRoute(environment, parent, { kind: 'resume', node }, children, progress)
  await parent.write()
}

/** The value of a template of a node, as a text. */
export async function textFrom(environment: RouteEnvironment, open: OpenRoute, nodeId: string, written: string) {
  const place = { node: open.node(nodeId), nodeState: 'running_input' }
  return evaluatedText(environment, await scopeOf(open), place, written)
}
