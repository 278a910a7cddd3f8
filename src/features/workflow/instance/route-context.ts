import type { CallBudget } from '../../../automation/budget.ts'
import type { OperationContext, OperationHost } from '../../../automation/context.ts'
import { evaluateOperand } from '../../../automation/expressions/evaluate-template.ts'
import { boolean, findTruth, type HostObject, number, type Operand, plainValue } from '../../../automation/expressions/operand.ts'
import { isTemplate } from '../../../automation/expressions/template.ts'
import { openContext } from '../../../automation/run/open-context.ts'
import { type Plan, planOf } from '../../../automation/run/plan.ts'
import { documentsValue, nothing, type Value } from '../../../automation/values/value.ts'
import { memoised } from '../../../base/cache/memo.ts'
import { defineProblem } from '../../../base/problem.ts'
import { accessIn } from '../../../core/access.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import type { Services } from '../../../rest/services.ts'
import { chainDepth, type OpenRoute } from './open-route.ts'
import { initiatorOf, nodeIdOf, taskRows, textAt } from './route-documents.ts'
import { changedVariables, nodeVariables, variableValues, workflowVariables } from './variables.ts'

/** What the engine needs of the server, and of the request that it works for. */
export interface RouteEnvironment {
  readonly services: Services
  readonly host: OperationHost
  /** That of the call that it is a part of. */
  readonly budget?: CallBudget | undefined
}

const notBoolean = defineProblem(
  'notBoolean',
  'failed',
  (of: { place: string; condition: string }) =>
    `The condition ${of.condition} of ${of.place} gives neither true nor false. Mend the workflow.`,
)

/** Where an expression stands or a chain is run. */
export interface RoutePlace {
  readonly node: Document
  /** As expressions know it: `running_output` while the node is left. */
  readonly nodeState: string
  readonly transition?: string
}

/** The documents of an instance, its variables and what else expressions know by name (contract: workflow 7.8). */
export interface RouteScope {
  readonly session: Session
  readonly route: Document
  readonly documents: readonly Document[]
}

/** A context in which the expressions of an instance are evaluated. */
export function contextFor({ services, host, budget }: RouteEnvironment, scope: RouteScope, place: RoutePlace): OperationContext {
  const { session, documents } = scope
  const environment = { access: accessIn(session), operations: services.operations, services, host, ...(budget && { budget }) }
  return openContext(environment, session, bindings(scope, place)).on(documentsValue(documents))
}

const text = (written: string | null | undefined): Value => (written == null ? nothing : { kind: 'string', text: written })
const moment = (date: unknown): Value => (typeof date === 'string' ? { kind: 'date', date } : nothing)

function bindings({ session, route, documents }: RouteScope, place: RoutePlace): readonly (readonly [string, Value])[] {
  const { node, nodeState, transition } = place
  const { properties } = node
  return [
    ['WorkflowVariables', routeValues(session.model)(route)],
    ['NodeVariables', nodeValues(session.model)(node)],
    ['workflowInitiator', text(initiatorOf(route))],
    ['workflowStartTime', moment(route.properties['dc:created'])],
    ['workflowParent', text(textAt(route, 'docri:parentRouteInstanceId'))],
    ['workflowParentNode', text(textAt(route, 'docri:parentRouteNodeId'))],
    ['workflowInstanceId', text(route.id)],
    ['workflowDocuments', documentsValue(documents)],
    ['documents', documentsValue(documents)],
    ['nodeId', text(nodeIdOf(node))],
    ['nodeState', text(nodeState)],
    ['state', text(nodeState)],
    ['nodeStartTime', moment(properties['rnode:startDate'])],
    ['nodeEndTime', moment(properties['rnode:endDate'])],
    ['nodeLastActor', text(textAt(node, 'rnode:lastActor'))],
    ['taskDueTime', moment(properties['rnode:taskDueDate'])],
    ['comment', text('')],
    ...(transition === undefined ? [] : [['transition', text(transition)] as const]),
  ]
}

// The conditions of a node are asked one after the other, and neither it nor the instance changes in between.
const routeValues = memoised((model: Model) =>
  memoised((route: Document): Value => ({ kind: 'map', members: variableValues(route, workflowVariables(model, route)) })),
)
const nodeValues = memoised((model: Model) =>
  memoised((node: Document): Value => ({ kind: 'map', members: membersOfNode(model, node) })),
)

function membersOfNode(model: Model, node: Document): { [name: string]: Value } {
  const rows = taskRows(node)
  const counted = (count: number): Value => ({ kind: 'number', number: count })
  return {
    ...variableValues(node, nodeVariables(model, node)),
    button: text(textAt(node, 'rnode:button')),
    numberOfTasks: counted(rows.length),
    numberOfProcessedTasks: counted(rows.filter(({ ended, status }) => ended && status !== null).length),
    tasks: {
      kind: 'list',
      items: rows.map(({ actor, comment, status, ended, taskDocId }) => ({
        kind: 'map',
        members: {
          actor: text(actor),
          comment: text(comment),
          status: text(status),
          ended: { kind: 'boolean', isTrue: ended },
          taskDocId: text(taskDocId),
        },
      })),
    },
  }
}

/** How long things have taken, in milliseconds, for conditions. */
function workflowFunctions({ session, route }: RouteScope, { node }: RoutePlace, rule?: EscalationState): HostObject {
  const since = (date: unknown): Value =>
    typeof date === 'string' ? number(Date.parse(session.now) - Date.parse(date)) : number(-1)
  const functions: { readonly [name: string]: () => Value } = {
    timeSinceWorkflowWasStarted: () => since(route.properties['dc:created']),
    timeSinceTaskWasStarted: () => since(node.properties['rnode:startDate']),
    timeSinceDueDateIsOver: () => since(node.properties['rnode:taskDueDate']),
    timeSinceRuleHasBeenFalse: () => since(rule?.executionDate),
    ruleAlreadyExecuted: () => boolean(rule?.executed === true),
  }
  return {
    kind: 'host',
    name: 'WorkflowFn',
    value: nothing,
    member: () => undefined,
    call: (name) => (Object.hasOwn(functions, name) ? functions[name]?.() : undefined),
  }
}

/** What conditions of an escalation ask of their own rule. */
export interface EscalationState {
  readonly executed: boolean
  readonly executionDate: string | null
}

/** @throws notBoolean, expressionWrong */
export async function holds(
  environment: RouteEnvironment,
  scope: RouteScope,
  place: RoutePlace,
  condition: string,
  rule?: EscalationState,
): Promise<boolean> {
  if (condition.trim() === 'true') return true
  const operand = await evaluated(environment, scope, place, condition, rule)
  const value = plainValue(operand)
  const isTrue = value.kind === 'boolean' ? value.isTrue : value.kind === 'string' ? findTruth(value) : undefined
  if (isTrue === undefined) throw notBoolean({ place: placeName(place), condition })
  return isTrue
}

function placeName({ node, transition }: RoutePlace): string {
  return transition === undefined ? nodeIdOf(node) : `${nodeIdOf(node)}, transition ${transition}`
}

/** What an expression of an instance gives. */
export async function evaluated(
  environment: RouteEnvironment,
  scope: RouteScope,
  place: RoutePlace,
  expression: string,
  rule?: EscalationState,
): Promise<Operand> {
  const context = contextFor(environment, scope, place)
  return evaluateOperand(context, expression, new Map([['WorkflowFn', workflowFunctions(scope, place, rule)]]))
}

/** A text as it is, or what it gives when it begins with `expr:`. */
export async function evaluatedText(
  environment: RouteEnvironment,
  scope: RouteScope,
  place: RoutePlace,
  written: string,
): Promise<Value> {
  return isTemplate(written) ? plainValue(await evaluated(environment, scope, place, written)) : text(written)
}

export const chainsNestedTooDeep = defineProblem(
  'chainsNestedTooDeep',
  'failed',
  (of: { chain: string; max: number }) =>
    `Execution is looping: chains of workflows run other workflows ${of.max} deep, and ${of.chain} would be run inside of all of them. Mend the workflow.`,
)

const maxChainLevels = 10

/** @throws chainsNestedTooDeep */
async function nested(open: OpenRoute, chain: string, body: () => Promise<unknown>): Promise<void> {
  if (chainDepth(open.session) >= maxChainLevels) throw chainsNestedTooDeep({ chain, max: maxChainLevels })
  open.chainsRunning += 1
  try {
    await body()
  } finally {
    open.chainsRunning -= 1
  }
}

// They look at the variables of their context and at nothing else: what waits to be written need not be written before them.
const lightOperations: ReadonlySet<string> = new Set(['Context.SetWorkflowVar', 'Workflow.SetNodeVariable'])
// Nor before these where no document is attached, for then they do nothing.
const documentOperations: ReadonlySet<string> = new Set([
  'review.approve',
  'review.unlock',
  'NRD-AC-PR-LockDocument',
  'logInAudit',
  'terminateWorkflow',
])

function isLight({ operations }: Pick<Plan, 'operations'>, documents: readonly Document[]): boolean {
  return operations.every(({ id }) => lightOperations.has(id) || (documents.length === 0 && documentOperations.has(id)))
}

/** Runs a chain for a node, with the attached documents as its input, and keeps what it sets of the variables. */
export async function runChain(environment: RouteEnvironment, open: OpenRoute, place: RoutePlace, chain: string): Promise<void> {
  const { services } = environment
  const plan = planOf(services.operations, services.operations.read(chain))
  const looksAtRows = !isLight(plan, await open.attached())
  if (looksAtRows) await open.write()
  const { session, route } = open
  const id = nodeIdOf(place.node)
  const scope = { session, route, documents: await open.attached() }
  const context = contextFor(environment, scope, { ...place, node: open.node(id) })
  const before = { workflow: membersOf(context, 'WorkflowVariables'), node: membersOf(context, 'NodeVariables') }
  await nested(open, chain, () => context.run(chain, documentsValue(scope.documents), { isDeclared: true }))
  if (looksAtRows) open.forgetAttached()
  const { model } = session
  const reading = { host: environment.host, session }
  const after = { workflow: membersOf(context, 'WorkflowVariables'), node: membersOf(context, 'NodeVariables') }
  const ofWorkflow = workflowVariables(model, route)
  open.changeRoute(await changedVariables(reading, route, ofWorkflow, before.workflow, after.workflow))
  const node = open.node(id)
  open.changeNode(id, await changedVariables(reading, node, nodeVariables(model, node), before.node, after.node))
}

function membersOf({ variables }: OperationContext, name: string): { readonly [name: string]: Value } {
  const value = variables.get(name)
  return value?.kind === 'map' ? value.members : {}
}
