import { Problem } from '../base/problem.ts'
import type { FieldDeclaration } from '../model/field.ts'
import { isScalar } from '../model/field.ts'
import type { Expression } from './expressions/syntax.ts'
import { isTemplate, parseTemplate } from './expressions/template.ts'
import type { OperationRegistry } from './registry.ts'
import type { WorkflowModel, WorkflowNode } from './workflow.ts'

/** What a workflow may name that others define. */
export interface WorkflowSurroundings {
  readonly operations: Pick<OperationRegistry, 'find'>
  readonly models: ReadonlySet<string>
  readonly permissions: ReadonlySet<string>
}

/** Each mistake as a reason, all of them at once: whoever draws a workflow wants to mend it once. */
export function workflowMistakes(model: WorkflowModel, surroundings: WorkflowSurroundings): readonly string[] {
  if (!/^[A-Za-z][\w-]*$/.test(model.name)) return [`has the name ${model.name}: letters, digits, _ and - make one`]
  const nodes = Object.entries(model.nodes ?? {})
  if (nodes.length === 0) return ['has no nodes']
  return [
    ...fieldMistakes('variable', model.variables),
    ...endMistakes(nodes),
    ...reachMistakes(model, nodes),
    ...nodes.flatMap(([id, node]) => nodeMistakes(model, id, node, surroundings).map((mistake) => `node ${id} ${mistake}`)),
    ...availabilityMistakes(model),
    ...mappingMistakes(model),
  ]
}

type Nodes = readonly (readonly [id: string, node: WorkflowNode])[]

function endMistakes(nodes: Nodes): readonly string[] {
  const starts = nodes.filter(([, node]) => node.isStart)
  const listed = starts.map(([id]) => id).join(', ')
  return [
    ...(starts.length === 1 ? [] : [starts.length === 0 ? 'has no start node' : `has several start nodes: ${listed}`]),
    ...(nodes.some(([, node]) => node.isStop) ? [] : ['has no stop node']),
  ]
}

/** Nodes that no way leads to, and nodes from which none leads to an end. */
function reachMistakes({ nodes: byId }: WorkflowModel, nodes: Nodes): readonly string[] {
  const targets = (id: string) => (byId[id]?.transitions ?? []).map(({ to }) => to)
  const sources = (id: string) => nodes.flatMap(([from]) => (targets(from).includes(id) ? [from] : []))
  const reached = closure(idsWhere(nodes, 'isStart'), targets)
  const ending = closure(idsWhere(nodes, 'isStop'), sources)
  return nodes.flatMap(([id]) => {
    if (!reached.has(id)) return [`node ${id} is reached by no transition from the start`]
    return ending.has(id) ? [] : [`node ${id} has no way to a stop node`]
  })
}

function idsWhere(nodes: Nodes, flag: 'isStart' | 'isStop'): readonly string[] {
  return nodes.flatMap(([id, node]) => (node[flag] ? [id] : []))
}

function closure(first: readonly string[], next: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(first)
  for (const id of found) for (const other of next(id)) found.add(other)
  return found
}

function nodeMistakes(model: WorkflowModel, id: string, node: WorkflowNode, around: WorkflowSurroundings): readonly string[] {
  const { transitions = [], task, child, exposes = [], merge } = node
  const unknown = exposes.filter((name) => !Object.hasOwn(model.variables ?? {}, name))
  return [
    ...(/^[\w-]+$/.test(id) ? [] : ['has an id that is not made of letters, digits, _ and -']),
    ...fieldMistakes('variable', node.variables),
    ...unknown.map((name) => `exposes ${name}, which is no variable of the workflow`),
    ...(merge === undefined || merge === 'one' || merge === 'all' ? [] : [`merges ${String(merge)}: say one or all`]),
    ...(task !== undefined && child !== undefined ? ['has both a task and another workflow'] : []),
    ...(node.isStop && (task !== undefined || child !== undefined) ? ['is a stop node that waits for something'] : []),
    ...transitionMistakes(model, node),
    ...(task === undefined ? [] : taskMistakes(model, node, around)),
    ...(child === undefined ? [] : childMistakes(model, node, around)),
    ...chainMistakes([node.inputChain, node.outputChain, ...transitions.map(({ chain }) => chain)], around),
    ...escalationMistakes(model, node, around),
  ]
}

function transitionMistakes(model: WorkflowModel, node: WorkflowNode): readonly string[] {
  const { transitions = [], isStop = false } = node
  const repeated = transitions.filter(({ name }, index) => transitions.findIndex((one) => one.name === name) < index)
  return [
    ...(isStop && transitions.length > 0 ? ['is a stop node with transitions'] : []),
    ...(!isStop && transitions.length === 0 ? ['has no transition, and is no stop node'] : []),
    ...repeated.map(({ name }) => `has two transitions ${name}`),
    ...transitions.flatMap(({ name, to, when }) => [
      ...(Object.hasOwn(model.nodes, to) ? [] : [`has the transition ${name} to ${to}, which does not exist`]),
      ...expressionMistakes(model, node, `transition ${name}`, when),
    ]),
  ]
}

function taskMistakes(model: WorkflowModel, node: WorkflowNode, { permissions }: WorkflowSurroundings): readonly string[] {
  const { assigneesExpr, due, buttons = [], permission } = node.task ?? { buttons: [] }
  const repeated = buttons.filter(({ name }, index) => buttons.findIndex((one) => one.name === name) < index)
  const reserved = buttons.filter(({ name }) => name === 'reassign' || name === 'delegate' || name === '')
  return [
    ...expressionMistakes(model, node, 'assignees', assigneesExpr),
    ...expressionMistakes(model, node, 'due date', due),
    ...repeated.map(({ name }) => `has two buttons ${name}`),
    ...reserved.map(({ name }) => `has a button named '${name}', which no address of a task can mean`),
    ...buttons.flatMap(({ name, filter }) => expressionMistakes(model, node, `button ${name}`, filter)),
    ...(permission === undefined || permissions.has(permission) ? [] : [`grants the unknown permission ${permission}`]),
  ]
}

function childMistakes(model: WorkflowModel, node: WorkflowNode, { models }: WorkflowSurroundings): readonly string[] {
  const { model: name, variables = {} } = node.child ?? { model: '' }
  const templates = Object.entries(variables).filter(([, text]) => isTemplate(text))
  return [
    ...(isTemplate(name) || models.has(name) ? [] : [`begins the workflow ${name}, which does not exist`]),
    ...(isTemplate(name) ? expressionMistakes(model, node, 'other workflow', name) : []),
    ...templates.flatMap(([variable, text]) => expressionMistakes(model, node, `variable ${variable}`, text)),
  ]
}

function escalationMistakes(model: WorkflowModel, node: WorkflowNode, around: WorkflowSurroundings): readonly string[] {
  const { escalations = [], task, child } = node
  return [
    ...(escalations.length > 0 && task === undefined && child === undefined ? ['escalates, and never waits'] : []),
    ...escalations.flatMap(({ name, condition, chain }) => [
      ...expressionMistakes(model, node, `escalation ${name}`, condition),
      ...chainMistakes([chain], around),
    ]),
  ]
}

function chainMistakes(chains: readonly (string | undefined)[], { operations }: WorkflowSurroundings): readonly string[] {
  const unknown = chains.filter((chain) => chain !== undefined && chain !== '' && operations.find(chain) === undefined)
  return [...new Set(unknown)].map((chain) => `runs the chain ${chain}, which does not exist`)
}

function availabilityMistakes(model: WorkflowModel): readonly string[] {
  const { availability } = model
  return availability === undefined ? [] : expressionMistakes(model, {}, 'availability', availability.condition)
}

function mappingMistakes({ taskMappings = {} }: WorkflowModel): readonly string[] {
  return Object.entries(taskMappings).flatMap(([name, mapping]) =>
    Object.entries(mapping)
      .flat()
      .filter((property) => !/^[\w-]+:[\w-]+$/.test(property))
      .map((property) => `has the mapping ${name} with ${property}, which is no property: write prefix:name`),
  )
}

function fieldMistakes(kind: string, fields: { readonly [name: string]: FieldDeclaration } = {}): readonly string[] {
  return Object.entries(fields).flatMap(([name, { type }]) => {
    const item = type.kind === 'list' ? type.item.type : type
    return isScalar(item) || item.kind === 'blob' ? [] : [`has the ${kind} ${name}, which is neither a value, a file nor a list`]
  })
}

/** What an expression cannot mean: what cannot be read, and variables that nobody has declared. */
function expressionMistakes(
  model: WorkflowModel,
  node: Pick<WorkflowNode, 'variables'>,
  place: string,
  text: string | undefined,
): readonly string[] {
  if (text === undefined) return []
  try {
    const template = parseTemplate(text)
    const whole =
      template.kind === 'expression' ? [template.expression] : template.parts.filter((part) => typeof part !== 'string')
    const known = { WorkflowVariables: Object.keys(model.variables ?? {}), NodeVariables: nodeVariableNames(node) }
    const unknown = whole.flatMap(everyVariable).filter(({ of, name }) => !known[of].includes(name))
    return unknown.map(({ of, name }) => `asks in ${place} for ${of}["${name}"], which nobody has declared`)
  } catch (error) {
    if (error instanceof Problem) return [`has a wrong expression in ${place}: ${error.message}`]
    throw error
  }
}

function nodeVariableNames({ variables = {} }: Pick<WorkflowNode, 'variables'>): readonly string[] {
  return [...Object.keys(variables), 'button', 'numberOfProcessedTasks', 'numberOfTasks', 'tasks']
}

interface AskedVariable {
  readonly of: 'WorkflowVariables' | 'NodeVariables'
  readonly name: string
}

/** The variables that an expression names outright, wherever in it. */
function everyVariable(expression: Expression): readonly AskedVariable[] {
  const own = askedVariable(expression)
  return [...(own === undefined ? [] : [own]), ...partsOf(expression).flatMap(everyVariable)]
}

function askedVariable(expression: Expression): AskedVariable | undefined {
  if (expression.kind !== 'member' && expression.kind !== 'item') return undefined
  const { of } = expression
  if (of.kind !== 'name' || (of.name !== 'WorkflowVariables' && of.name !== 'NodeVariables')) return undefined
  if (expression.kind === 'member') return { of: of.name, name: expression.name }
  const { key } = expression
  return key.kind === 'literal' && key.value.kind === 'string' ? { of: of.name, name: key.value.text } : undefined
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'empty':
    case 'name':
      return []
    case 'member':
      return [expression.of]
    case 'item':
      return [expression.of, expression.key]
    case 'call':
      return [expression.of, ...expression.given]
    case 'list':
      return expression.items
    case 'map':
      return expression.entries.flat()
    case 'not':
    case 'negative':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'choice':
      return [expression.condition, expression.then, expression.otherwise]
  }
}
